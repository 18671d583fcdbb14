import { NEW_ON_DEMAND_PARTITIONS } from '../sizing/partition-limits.js'
import type { PlanInput } from './plan-input.js'

/** A new on-demand table for an append-only log, without any traffic yet. */
export const DEFAULT_PLAN_INPUT: PlanInput = {
  table: 'table',
  partitionKey: 'pk',
  sortKey: 'sk',
  itemBytes: 1_024,
  keys: [],
  otherWritesPerSecond: 0,
  otherReadsPerSecond: 0,
  pageItems: 25,
  consistency: 'eventual',
  headRoom: 0.3,
  confidence: 0.99,
  partitions: NEW_ON_DEMAND_PARTITIONS,
  order: 'rising',
  access: 'append',
  hasLocalIndex: false,
  rampMinutes: 0,
  storedGb: 0,
  region: 'us-east-1',
  seed: 1,
}
