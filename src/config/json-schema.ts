import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The part of JSON Schema that the config's schema uses. */
export interface JsonSchema {
  readonly properties?: { readonly [key: string]: JsonSchema };
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** JSON Schema (2020-12) of `trailseal.yaml`, for editors: `docs/trailseal.schema.json`. */
export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchema;
}

/** The keys the schema knows at a path of the config; empty where it knows none or takes any. */
export function keysAt(path: readonly PropertyKey[]): string[] {
  let places: JsonSchema[] = [configJsonSchema()];
  for (const step of path)
    places = places.flatMap((place) => alternatives(place)).flatMap((place) => below(place, step));
  return places.flatMap((place) => alternatives(place)).flatMap((place) => Object.keys(place.properties ?? {}));
}

function alternatives(place: JsonSchema): readonly JsonSchema[] {
  return place.anyOf?.flatMap(alternatives) ?? [place];
}

function below(place: JsonSchema, step: PropertyKey): JsonSchema[] {
  if (typeof step === 'number') return place.items === undefined ? [] : [place.items];
  const known = Object.entries(place.properties ?? {}).find(([key]) => key === step)?.[1];
  if (known !== undefined) return [known];
  return typeof place.additionalProperties === 'object' ? [place.additionalProperties] : [];
}
