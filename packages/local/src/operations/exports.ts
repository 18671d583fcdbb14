import type { ExportState } from '../catalog/export-state.js'
import { ServiceError, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import { ACCOUNT, parseTableArn } from '../table/table-arn.js'
import { requestFingerprint } from '../transaction/request-token.js'
import { SUMMARY } from '../transfers/write-export.js'
import { TIME, timeOf } from '../validation/time-input.js'
import { epochSeconds } from './epoch-seconds.js'
import { controlledTable, defineOperation, isThere, type OperationContext } from './operation.js'
import {
  BUCKET,
  BUCKET_OWNER,
  checkPrefix,
  checkTransfersAtOnce,
  earlierTransfer,
  noBuckets,
  PAGE_SIZE,
  PREFIX,
  pageOf,
  TABLE_ARN,
  TRANSFER_ARN,
  TRANSFER_TOKEN,
} from './transfer-request.js'

/** Exports. Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExportTableToPointInTime.html */

/** How far the clocks of a client and of the engine may differ. */
const CLOCK_TOLERANCE_MILLISECONDS = 1_000

interface ExportInput {
  readonly TableArn: string
  readonly S3Bucket: string
  readonly S3BucketOwner?: string
  readonly S3Prefix?: string
  readonly S3SseAlgorithm?: string
  readonly ClientToken?: string
  readonly ExportTime?: unknown
  readonly ExportFormat?: 'DYNAMODB_JSON' | 'ION'
  readonly ExportType?: 'FULL_EXPORT' | 'INCREMENTAL_EXPORT'
}

export const exportTableToPointInTime = defineOperation<ExportInput>(
  {
    type: 'structure',
    members: {
      TableArn: { ...TABLE_ARN, required: true },
      S3Bucket: { ...BUCKET, required: true },
      S3BucketOwner: BUCKET_OWNER,
      S3Prefix: PREFIX,
      S3SseAlgorithm: { type: 'string', oneOf: ['AES256', 'KMS'] },
      ClientToken: TRANSFER_TOKEN,
      ExportTime: TIME,
      ExportFormat: { type: 'string', oneOf: ['DYNAMODB_JSON', 'ION'] },
      ExportType: { type: 'string', oneOf: ['FULL_EXPORT', 'INCREMENTAL_EXPORT'] },
    },
    unsupported: ['FilterSpecification', 'IncrementalExportSpecification', 'S3SseKmsKeyId'],
  },
  (input, context) => {
    const { exports, exportRecords, region } = context
    if (exports === undefined) throw noBuckets('export')
    checkPrefix('S3Prefix', input.S3Prefix)
    checkKind(input)
    const { ClientToken: token, ...repeated } = input
    const time = timeOf('ExportTime', input.ExportTime)
    const request = requestFingerprint({ ...repeated, ExportTime: time })
    const earlier = earlierTransfer(exportRecords, region, { token, request }, 'Export')
    if (earlier !== undefined) return { ExportDescription: description(earlier) }
    const table = exportedTable(context, input.TableArn)
    checkTime(time, context)
    checkTransfersAtOnce(exportRecords.list(region), 'exports')
    const { S3Bucket: bucket, S3BucketOwner: bucketOwner, S3Prefix: prefix } = input
    const created = exports.create(table, {
      request,
      clientToken: token ?? '',
      bucket,
      ...(bucketOwner === undefined ? {} : { bucketOwner }),
      ...(prefix === undefined ? {} : { prefix }),
      ...(input.S3SseAlgorithm === undefined ? {} : { sseAlgorithm: input.S3SseAlgorithm }),
    })
    return afterwards(created, (state) => ({ ExportDescription: description(state) }))
  },
)

export const describeExport = defineOperation<{ readonly ExportArn: string }>(
  { type: 'structure', members: { ExportArn: { ...TRANSFER_ARN, required: true } } },
  ({ ExportArn: arn }, { exportRecords, region }) => {
    const state = exportRecords.get(region, arn)
    if (state === undefined) throw new ServiceError('ExportNotFoundException', `Export not found: ${arn}`)
    return { ExportDescription: description(state) }
  },
)

interface ListInput {
  readonly TableArn?: string
  readonly MaxResults?: number
  readonly NextToken?: string
}

export const listExports = defineOperation<ListInput>(
  {
    type: 'structure',
    members: { TableArn: TABLE_ARN, MaxResults: PAGE_SIZE, NextToken: { type: 'string' } },
  },
  (input, context) => {
    const { exportRecords, region } = context
    const { page, more } = pageOf(exportRecords.list(region), input, context, input.MaxResults)
    return {
      ExportSummaries: page.map(({ arn, status }) => ({
        ExportArn: arn,
        ExportStatus: status,
        ExportType: 'FULL_EXPORT',
      })),
      ...more,
    }
  },
)

/** @throws ServiceError for what the engine does not export */
function checkKind({ ExportFormat: format, ExportType: type }: ExportInput): void {
  if (format === 'ION') {
    throw validationException(
      'ExportFormat is ION; this engine writes DYNAMODB_JSON only. Ask for DYNAMODB_JSON, or leave ExportFormat out.',
    )
  }
  if (type === 'INCREMENTAL_EXPORT') {
    throw validationException(
      'ExportType is INCREMENTAL_EXPORT; this engine keeps no history of changes. Ask for FULL_EXPORT, or leave ExportType out.',
    )
  }
}

/** A table that is being created has nothing to export yet. @throws ServiceError */
function exportedTable(context: OperationContext, arn: string) {
  const name = parseTableArn(arn)?.name ?? arn
  const table = context.catalog.get(context.region, name)
  if (table === undefined || !isThere(table)) {
    throw new ServiceError('TableNotFoundException', `Table not found: ${name}`)
  }
  return controlledTable(context, arn)
}

/** @throws ServiceError when the engine no longer has the table of that time */
function checkTime(time: number | undefined, { clock }: OperationContext): void {
  if (time === undefined || Math.abs(time - clock.now()) <= CLOCK_TOLERANCE_MILLISECONDS) return
  throw new ServiceError(
    'InvalidExportTimeException',
    `ExportTime is ${time / 1000}; this engine keeps no history, so it exports a table as it is now. Leave ExportTime out.`,
  )
}

function description(state: ExportState): object {
  const { status, endedAt, failure, clientToken, prefix } = state
  return {
    ExportArn: state.arn,
    ExportStatus: status,
    StartTime: epochSeconds(state.startedAt),
    ...(endedAt === undefined ? {} : { EndTime: epochSeconds(endedAt) }),
    ...(status === 'COMPLETED'
      ? {
          ExportManifest: `${state.folder}/${SUMMARY}`,
          BilledSizeBytes: state.bytes,
          ItemCount: state.items,
        }
      : {}),
    TableArn: state.tableArn,
    TableId: state.tableId,
    ExportTime: epochSeconds(state.exportTime),
    ...(clientToken === '' ? {} : { ClientToken: clientToken }),
    S3Bucket: state.bucket,
    S3BucketOwner: state.bucketOwner ?? ACCOUNT,
    ...(prefix === undefined ? {} : { S3Prefix: prefix }),
    S3SseAlgorithm: state.sseAlgorithm ?? 'AES256',
    ...(failure === undefined ? {} : { FailureCode: failure.code, FailureMessage: failure.message }),
    ExportFormat: 'DYNAMODB_JSON',
    ExportType: 'FULL_EXPORT',
  }
}
