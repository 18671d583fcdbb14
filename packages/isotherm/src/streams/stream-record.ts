/** The attributes of an item, or of its key, in a stream record. */
export type StreamImage = Readonly<Record<string, object>>

/**
 * The common part of records from `@aws-sdk/client-dynamodb-streams`, Lambda's events and Kinesis Data Streams for
 * DynamoDB. They differ in binary values, which are bytes in the first and base64 text in the others.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 */
export interface StreamRecord {
  readonly eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined
  /** Identifies DynamoDB itself when it deleted the item. */
  readonly userIdentity?: unknown
  readonly dynamodb?:
    | {
        readonly Keys?: StreamImage | undefined
        readonly NewImage?: StreamImage | undefined
        readonly OldImage?: StreamImage | undefined
      }
    | undefined
}
