import { TABLE } from '../validation/members.js'
import { defineOperation, ownTableName } from './operation.js'
import { STREAM_ARN } from './stream-request.js'

const MAX_STREAMS = 100

interface ListStreamsInput {
  readonly TableName?: string
  readonly Limit?: number
  readonly ExclusiveStartStreamArn?: string
}

export const listStreams = defineOperation<ListStreamsInput>(
  {
    type: 'structure',
    members: {
      TableName: TABLE,
      Limit: { type: 'integer', value: { min: 1, max: MAX_STREAMS } },
      ExclusiveStartStreamArn: STREAM_ARN,
    },
  },
  (input, context) => {
    const { catalog, region, clock } = context
    const { TableName: table, ExclusiveStartStreamArn: start = '', Limit: limit = MAX_STREAMS } = input
    const name = table === undefined ? undefined : ownTableName(context, table)
    if (table !== undefined && name === undefined) return { Streams: [] }
    const streams = catalog.streams.list(region, name, clock.now()).filter(({ state }) => state.arn > start)
    const page = streams.slice(0, limit)
    return {
      Streams: page.map(({ state }) => ({
        StreamArn: state.arn,
        TableName: state.tableName,
        StreamLabel: state.label,
      })),
      ...(streams.length > limit ? { LastEvaluatedStreamArn: page.at(-1)?.state.arn } : {}),
    }
  },
)
