import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** What an engine may lack, and a guarantee may need. */
export type Feature =
  /** TransactWriteItems and TransactGetItems. */
  | 'transactions'
  /** Local secondary indexes. */
  | 'local indexes'
  /** It refuses what the service would refuse of a batch. */
  | 'strict batches'

/** A DynamoDB that the guarantees are held on. */
export interface Engine {
  readonly name: string
  /** Why it is not here, or may not be asked. */
  readonly absent?: string
  /** What it lacks, each with the reason that is told where a guarantee is skipped for it. */
  readonly lacks: Readonly<Partial<Record<Feature, string>>>
  open(): Promise<OpenEngine>
}

export interface OpenEngine {
  /** A client of the AWS SDK of its own, as a process would make it. */
  client(): DynamoDBClient
  /** Whether its tables outlive it, and have to be deleted. */
  readonly keepsTables: boolean
  close(): Promise<void>
}
