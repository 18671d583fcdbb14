import type { ImportFormat, ImportState } from '../catalog/import-state.js'
import { ServiceError, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import { ACCOUNT } from '../table/table-arn.js'
import { requestFingerprint } from '../transaction/request-token.js'
import { ENCRYPTION } from '../validation/encryption-input.js'
import { GLOBAL_INDEXES } from '../validation/index-input.js'
import { ATTRIBUTE_DEFINITIONS, KEY_SCHEMA } from '../validation/key-schema-input.js'
import { TABLE_NAME } from '../validation/members.js'
import { ON_DEMAND_THROUGHPUT } from '../validation/on-demand-input.js'
import { type TableInput, tableDefinition } from '../validation/table-definition-input.js'
import { BILLING_MODE, THROUGHPUT } from '../validation/throughput-input.js'
import { epochSeconds } from './epoch-seconds.js'
import { checkNewTable } from './new-table.js'
import { defineOperation } from './operation.js'
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

/** Imports. Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ImportTable.html */

interface ImportInput {
  readonly ClientToken?: string
  readonly S3BucketSource: {
    readonly S3BucketOwner?: string
    readonly S3Bucket: string
    readonly S3KeyPrefix?: string
  }
  readonly InputFormat: 'DYNAMODB_JSON' | 'CSV' | 'ION'
  readonly InputFormatOptions?: { readonly Csv?: CsvInput }
  readonly InputCompressionType?: 'GZIP' | 'ZSTD' | 'NONE'
  readonly TableCreationParameters: TableInput
}

interface CsvInput {
  readonly Delimiter?: string
  readonly HeaderList?: readonly string[]
}

export const importTable = defineOperation<ImportInput>(
  {
    type: 'structure',
    members: {
      ClientToken: TRANSFER_TOKEN,
      S3BucketSource: {
        type: 'structure',
        members: {
          S3BucketOwner: BUCKET_OWNER,
          S3Bucket: { ...BUCKET, required: true },
          S3KeyPrefix: PREFIX,
        },
        required: true,
      },
      InputFormat: { type: 'string', oneOf: ['DYNAMODB_JSON', 'ION', 'CSV'], required: true },
      InputFormatOptions: {
        type: 'structure',
        members: {
          Csv: {
            type: 'structure',
            members: {
              Delimiter: { type: 'string', length: { min: 1, max: 1 }, pattern: /^[,;:|\t ]$/ },
              HeaderList: {
                type: 'list',
                length: { min: 1, max: 255 },
                of: {
                  type: 'string',
                  length: { min: 1, max: 65_536 },
                  pattern: /^[\x20-\x21\x23-\x2B\x2D-\x7E]*$/,
                },
              },
            },
          },
        },
      },
      InputCompressionType: { type: 'string', oneOf: ['GZIP', 'ZSTD', 'NONE'] },
      TableCreationParameters: {
        type: 'structure',
        members: {
          TableName: { ...TABLE_NAME, required: true },
          AttributeDefinitions: { ...ATTRIBUTE_DEFINITIONS, required: true },
          KeySchema: { ...KEY_SCHEMA, required: true },
          BillingMode: BILLING_MODE,
          ProvisionedThroughput: THROUGHPUT,
          OnDemandThroughput: ON_DEMAND_THROUGHPUT,
          SSESpecification: ENCRYPTION,
          GlobalSecondaryIndexes: GLOBAL_INDEXES,
        },
        unsupported: ['VectorIndexes'],
        required: true,
      },
    },
  },
  (input, context) => {
    const { imports, importRecords, region } = context
    if (imports === undefined) throw noBuckets('import')
    const { S3Bucket: bucket, S3BucketOwner: bucketOwner, S3KeyPrefix: prefix } = input.S3BucketSource
    checkPrefix('S3KeyPrefix', prefix)
    const format = formatOf(input)
    const compression = compressionOf(input)
    const { ClientToken: token, ...repeated } = input
    const request = requestFingerprint(repeated)
    const earlier = earlierTransfer(importRecords, region, { token, request }, 'Import')
    if (earlier !== undefined) return { ImportTableDescription: description(earlier) }
    const definition = tableDefinition(input.TableCreationParameters)
    checkTransfersAtOnce(importRecords.list(region), 'imports')
    checkNewTable(context, definition)
    const created = imports.create(region, definition, {
      request,
      clientToken: token ?? '',
      source: {
        bucket,
        ...(bucketOwner === undefined ? {} : { bucketOwner }),
        ...(prefix === undefined ? {} : { prefix }),
      },
      format,
      compression,
      // A copy, because a client in this process may change its request later.
      creation: structuredClone({ ...input.TableCreationParameters }),
    })
    return afterwards(created, (state) => ({ ImportTableDescription: description(state) }))
  },
)

export const describeImport = defineOperation<{ readonly ImportArn: string }>(
  { type: 'structure', members: { ImportArn: { ...TRANSFER_ARN, required: true } } },
  ({ ImportArn: arn }, { importRecords, region }) => {
    const state = importRecords.get(region, arn)
    if (state === undefined) throw new ServiceError('ImportNotFoundException', `Import not found: ${arn}`)
    return { ImportTableDescription: description(state) }
  },
)

interface ListInput {
  readonly TableArn?: string
  readonly PageSize?: number
  readonly NextToken?: string
}

export const listImports = defineOperation<ListInput>(
  {
    type: 'structure',
    members: { TableArn: TABLE_ARN, PageSize: PAGE_SIZE, NextToken: { type: 'string' } },
  },
  (input, context) => {
    const { importRecords, region } = context
    const { page, more } = pageOf(importRecords.list(region), input, context, input.PageSize)
    return { ImportSummaryList: page.map(summary), ...more }
  },
)

/** @throws ServiceError for a format that the engine does not read */
function formatOf({ InputFormat: type, InputFormatOptions: options }: ImportInput): ImportFormat {
  if (type === 'ION') {
    throw validationException(
      'InputFormat is ION; this engine reads DYNAMODB_JSON and CSV only. Export the data as DYNAMODB_JSON.',
    )
  }
  const { Delimiter: delimiter, HeaderList: header } = options?.Csv ?? {}
  if (type === 'CSV') {
    return {
      type,
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(header === undefined ? {} : { header: [...header] }),
    }
  }
  if (options?.Csv !== undefined) {
    throw validationException(
      'InputFormatOptions.Csv is given, and InputFormat is DYNAMODB_JSON. Leave the options out, or set InputFormat to CSV.',
    )
  }
  return { type }
}

/** @throws ServiceError for a compression that the engine does not read */
function compressionOf({ InputCompressionType: type = 'NONE' }: ImportInput): 'NONE' | 'GZIP' {
  if (type !== 'ZSTD') return type
  throw validationException(
    'InputCompressionType is ZSTD; this engine reads GZIP and NONE only. Compress the objects with gzip.',
  )
}

function summary(state: ImportState): object {
  const { endedAt, source } = state
  return {
    ImportArn: state.arn,
    ImportStatus: state.status,
    TableArn: state.tableArn,
    S3BucketSource: {
      S3BucketOwner: source.bucketOwner ?? ACCOUNT,
      S3Bucket: source.bucket,
      ...(source.prefix === undefined ? {} : { S3KeyPrefix: source.prefix }),
    },
    InputFormat: state.format.type,
    StartTime: epochSeconds(state.startedAt),
    ...(endedAt === undefined ? {} : { EndTime: epochSeconds(endedAt) }),
  }
}

function description(state: ImportState): object {
  const { clientToken, failure, format } = state
  return {
    ...summary(state),
    TableId: state.tableId,
    ...(clientToken === '' ? {} : { ClientToken: clientToken }),
    ErrorCount: state.errors,
    ...(format.type === 'CSV' ? { InputFormatOptions: { Csv: csvOptions(format) } } : {}),
    InputCompressionType: state.compression,
    TableCreationParameters: state.creation,
    ProcessedSizeBytes: state.processedBytes,
    ProcessedItemCount: state.processedItems,
    ImportedItemCount: state.importedItems,
    ...(failure === undefined ? {} : { FailureCode: failure.code, FailureMessage: failure.message }),
  }
}

function csvOptions({ delimiter = ',', header }: Extract<ImportFormat, { type: 'CSV' }>): object {
  return { Delimiter: delimiter, ...(header === undefined ? {} : { HeaderList: header }) }
}
