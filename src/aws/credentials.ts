import { NOT_REFRESHED } from '../source/credentials-gone.ts';
import { SourceError } from '../source/source.ts';
import type { Identity, IdentityProvider } from './clients.ts';
import { faultOf } from './fault.ts';

/** The run's one set of credentials, refreshed at most once for each time that a store calls them expired. */
export class Credentials {
  readonly #provider: IdentityProvider;
  #generation = 0;
  #refreshing: Promise<void> | null = null;

  constructor(provider: IdentityProvider) {
    this.#provider = provider;
  }

  /** Grows with each refresh: tells whether a request was signed before or after it. */
  get generation(): number {
    return this.#generation;
  }

  /** Throws the SDK's own error where there are none. */
  identity(): Promise<Identity> {
    return this.#provider();
  }

  /** Resolves when the credentials are newer than those of that generation. Throws `SourceError` where they cannot be made so. */
  async refresh(expired: number): Promise<void> {
    if (expired < this.#generation) return;
    this.#refreshing ??= this.#provider({ forceRefresh: true }).then(
      () => {
        this.#generation++;
        this.#refreshing = null;
      },
      (error: unknown) => {
        this.#refreshing = null;
        // Its own word may be that of a refusal, and would then be taken for one of the object that was asked for.
        const { code, message } = faultOf(error);
        const told = `the credentials have expired, and others were not to be had: ${message} (${code})`;
        throw new SourceError({ kind: 'error', code: NOT_REFRESHED, message: told }, { cause: error });
      },
    );
    await this.#refreshing;
  }
}
