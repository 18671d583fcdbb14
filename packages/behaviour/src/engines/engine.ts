import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A feature that an engine can lack and a guarantee can need. */
export type Feature =
  /** TransactWriteItems and TransactGetItems. */
  | 'transactions'
  /** Local secondary indexes. */
  | 'local indexes'
  /** Refusing the batches that the service would refuse. */
  | 'strict batches'

/** A DynamoDB on which the guarantees are tested. */
export interface Engine {
  readonly name: string
  /** Why the engine is unavailable or must not be used. */
  readonly absent?: string
  /** The features that it lacks, each with the reason that is shown for skipped guarantees. */
  readonly lacks: Readonly<Partial<Record<Feature, string>>>
  open(): Promise<OpenEngine>
}

export interface OpenEngine {
  /** Creates a separate client of the AWS SDK, as a process would. */
  client(): DynamoDBClient
  /** Whether its tables outlive it and must be deleted. */
  readonly keepsTables: boolean
  close(): Promise<void>
}
