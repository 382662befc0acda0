import { z } from 'zod';
import { DURATION } from './duration.ts';

const partition = 'aws[a-z-]*';

export const accountId = z
  .string()
  .regex(/^\d{12}$/, 'an account id has 12 digits')
  .describe('AWS account id: 12 digits, in quotes');

export const trailArn = z
  .string()
  .regex(
    new RegExp(`^arn:${partition}:cloudtrail:[a-z0-9-]+:\\d{12}:trail/[A-Za-z0-9._-]{3,128}$`),
    'expected arn:aws:cloudtrail:REGION:ACCOUNT:trail/NAME',
  )
  .describe('ARN of a trail');

export const roleArn = z
  .string()
  .regex(new RegExp(`^arn:${partition}:iam::\\d{12}:role/[\\w+=,.@/-]+$`), 'expected arn:aws:iam::ACCOUNT:role/NAME')
  .describe('ARN of an IAM role');

export const principal = z
  .string()
  .regex(
    new RegExp(`^(arn:${partition}:(iam|sts)::\\d{12}:\\S+|\\d{12}|[a-z0-9.-]+\\.amazonaws\\.com(\\.cn)?)$`),
    'expected an IAM or STS ARN, a 12-digit account id in quotes, or a service such as cloudtrail.amazonaws.com',
  )
  .describe('Who: an IAM or STS ARN, an account id (any identity of that account), or an AWS service');

export const bucketName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'a bucket name has 3 to 63 of a-z, 0-9, dot and hyphen')
  .describe('S3 bucket name');

export const keyPrefix = z.string().max(1024).describe('Beginning of an S3 key, without a leading slash');

export const region = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/, 'expected a Region such as eu-west-2')
  .describe('AWS Region');

export const duration = z
  .string()
  .regex(DURATION, 'expected a number and a unit: 90s, 50m, 4h, 7d, 2w')
  .describe('A number and a unit: s, m, h, d or w');

export const days = z.int().min(1).max(36_500).describe('Days; a year counts as 365');

export const text = z.string().trim().min(1, 'must not be empty').max(1000);

export const url = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });
