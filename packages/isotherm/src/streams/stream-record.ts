/** The attributes of an item, or of its key, as a stream record has them. */
export type StreamImage = Readonly<Record<string, object>>

/**
 * What is read of a stream record: the part that the records of `@aws-sdk/client-dynamodb-streams`, of Lambda's events and
 * of Kinesis Data Streams for DynamoDB have in common. They differ in binary values, which are bytes in the first and
 * base64 text in the others.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 */
export interface StreamRecord {
  readonly eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined
  /** Who deleted the item, where that was DynamoDB itself. */
  readonly userIdentity?: unknown
  readonly dynamodb?:
    | {
        readonly Keys?: StreamImage | undefined
        readonly NewImage?: StreamImage | undefined
        readonly OldImage?: StreamImage | undefined
      }
    | undefined
}
