import { keyViolation } from '../buckets/object-key.js'
import type { TransferRecords, TransferState } from '../catalog/transfer-records.js'
import { ServiceError, validationException } from '../errors/service-error.js'
import { tableArn } from '../table/table-arn.js'
import { MAX_TRANSFERS_AT_ONCE } from '../transfers/transfer-jobs.js'
import { TABLE } from '../validation/members.js'
import type { Shape } from '../validation/shape.js'
import type { OperationContext } from './operation.js'

/** Members that requests for exports and imports share, and their checks. */

/** The service's pattern has a `+` behind each class of letters, which means the same and takes the cube of the time. */
export const BUCKET = {
  type: 'string',
  length: { max: 255 },
  pattern: /^[a-z0-9A-Z][.\-\w]*[a-z0-9A-Z]$/,
} as const satisfies Shape

export const BUCKET_OWNER = { type: 'string', pattern: /^[0-9]{12}$/ } as const satisfies Shape

export const PREFIX = { type: 'string', length: { max: 1024 } } as const satisfies Shape

export const TRANSFER_TOKEN = { type: 'string', pattern: /^[^$]+$/ } as const satisfies Shape

export const TRANSFER_ARN = { type: 'string', length: { min: 37, max: 1024 } } as const satisfies Shape

const MAX_LISTED = 25

export const PAGE_SIZE = { type: 'integer', value: { min: 1, max: MAX_LISTED } } as const satisfies Shape

/** @param does what the engine cannot do without buckets */
export function noBuckets(does: 'export' | 'import'): ServiceError {
  return validationException(
    `This engine has no directory for S3 buckets, so it cannot ${does}; nothing was done. Set the option buckets of createLocal, or --buckets of isotherm local.`,
  )
}

/** Checks that a prefix can be a path of files. @throws ServiceError */
export function checkPrefix(member: string, prefix: string | undefined): void {
  const violation = prefix === undefined ? undefined : keyViolation(prefix)
  if (violation === undefined) return
  throw validationException(`${member} is '${prefix}'; ${violation}. Name a path of folders in the bucket.`)
}

/**
 * The transfer that an earlier request with the same token has begun.
 * @throws ServiceError when that request was another one
 */
export function earlierTransfer<State extends TransferState>(
  records: TransferRecords<State>,
  region: string,
  { token, request }: { readonly token: string | undefined; readonly request: string },
  kind: 'Export' | 'Import',
): State | undefined {
  const earlier = token === undefined ? undefined : records.withToken(region, token)
  if (earlier === undefined || earlier.request === request) return earlier
  throw new ServiceError(
    `${kind}ConflictException`,
    `The ClientToken ${token} belongs to the ${kind.toLowerCase()} ${earlier.arn}, whose request was another one. Use a new token for another request.`,
  )
}

/** Checks how many transfers of a region are in progress. @throws ServiceError */
export function checkTransfersAtOnce(states: readonly TransferState[], what: 'exports' | 'imports'): void {
  const running = states.filter(({ status }) => status === 'IN_PROGRESS')
  if (running.length < MAX_TRANSFERS_AT_ONCE) return
  throw new ServiceError(
    'LimitExceededException',
    `Subscriber limit exceeded: at most ${MAX_TRANSFERS_AT_ONCE} ${what} can be in progress at the same time. Wait until one of them has ended.`,
  )
}

interface ListRequest {
  readonly TableArn?: string
  readonly NextToken?: string
}

/** One page of the transfers of a region, or of one of its tables. @throws ServiceError */
export function pageOf<State extends TransferState>(
  states: readonly State[],
  { TableArn, NextToken }: ListRequest,
  { region }: OperationContext,
  size = MAX_LISTED,
): { readonly page: readonly State[]; readonly more: { readonly NextToken?: string } } {
  const arn = TableArn === undefined || TableArn.startsWith('arn:') ? TableArn : tableArn(region, TableArn)
  const found = states.filter((state) => arn === undefined || state.tableArn === arn)
  const last = NextToken === undefined ? -1 : found.findIndex((state) => state.arn === NextToken)
  if (NextToken !== undefined && last < 0) {
    throw validationException(
      `NextToken is '${NextToken}'; it must be the NextToken of the page before, and that is no longer known.`,
    )
  }
  const rest = found.slice(last + 1)
  const page = rest.slice(0, size)
  const end = page.at(-1)
  return { page, more: end === undefined || page.length === rest.length ? {} : { NextToken: end.arn } }
}

/** A table by its ARN. A name is accepted as well. */
export const TABLE_ARN = { ...TABLE, length: { min: 1, max: 1024 } } as const satisfies Shape
