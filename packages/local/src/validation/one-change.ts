import { invalidParameters } from '../errors/service-error.js'

/** The members of UpdateTable that change a table. */
export interface TableChangeInput {
  readonly BillingMode?: string
  readonly ProvisionedThroughput?: unknown
  readonly OnDemandThroughput?: unknown
  readonly WarmThroughput?: unknown
  readonly GlobalSecondaryIndexUpdates?: readonly { readonly Create?: unknown; readonly Delete?: unknown }[]
  readonly StreamSpecification?: unknown
  readonly TableClass?: unknown
  readonly DeletionProtectionEnabled?: unknown
  readonly SSESpecification?: unknown
}

const MEMBERS = [
  'BillingMode',
  'ProvisionedThroughput',
  'OnDemandThroughput',
  'WarmThroughput',
  'GlobalSecondaryIndexUpdates',
  'StreamSpecification',
  'TableClass',
  'DeletionProtectionEnabled',
  'SSESpecification',
] as const
type Member = (typeof MEMBERS)[number]

/** Changes that must come alone, in the order in which the service names one of several. */
const ALONE = [
  ['SSESpecification', 'Server-Side Encryption'],
  ['TableClass', 'TableClass'],
  ['DeletionProtectionEnabled', 'DeletionProtection'],
] as const

/**
 * An UpdateTable request makes one change. The service combines few pairs: a switch to on-demand mode with a maximum, with a stream or
 * with a new index, and updates of indexes with those of their table. Observed in October 2026, each pair in a request of its own.
 * @throws ServiceError
 */
export function checkOneChange(input: TableChangeInput): void {
  const changes = MEMBERS.filter((member) => input[member] !== undefined)
  if (changes.length < 2) return
  for (const [member, name] of ALONE) {
    if (changes.includes(member)) {
      throw invalidParameters(`${name} modification must be the only operation in the request`)
    }
  }
  const has = (...members: Member[]) => members.some((member) => changes.includes(member))
  const updates = input.GlobalSecondaryIndexUpdates ?? []
  const creates = updates.some(({ Create }) => Create !== undefined)
  const isIndexSetChanged = creates || updates.some(({ Delete }) => Delete !== undefined)
  if (has('OnDemandThroughput') && has('StreamSpecification', 'WarmThroughput')) {
    throw invalidParameters(
      'OnDemandThroughput can only be combined with BillingMode in an UpdateTable request',
    )
  }
  if (has('WarmThroughput') && creates) {
    throw invalidParameters('Create global secondary index cannot be specified when updating WarmThroughput')
  }
  if (has('WarmThroughput') && has('BillingMode', 'ProvisionedThroughput', 'StreamSpecification')) {
    throw invalidParameters('WarmThroughput must be the only operation in the request')
  }
  const isProvisioning = has('ProvisionedThroughput') || input.BillingMode === 'PROVISIONED'
  if (has('StreamSpecification') && isProvisioning) {
    throw invalidParameters('You cannot modify stream status while updating table IOPS')
  }
  if (has('ProvisionedThroughput') && isIndexSetChanged) {
    throw invalidParameters('You cannot create or delete index while updating table IOPS')
  }
  if (has('StreamSpecification') && isIndexSetChanged) {
    throw invalidParameters('You cannot create or delete index while changing stream status')
  }
}
