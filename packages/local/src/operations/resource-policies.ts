import { invalidParameters, resourceNotFound, ServiceError } from '../errors/service-error.js'
import { isJsonObject } from '../json/json-kind.js'
import { afterwards } from '../storage/afterwards.js'
import type { Table } from '../table/table.js'
import { parseTableArn } from '../table/table-arn.js'
import type { ResourcePolicy } from '../table/table-state.js'
import { defineOperation, type OperationContext } from './operation.js'

/**
 * Policies of tables are stored and returned. The engine does not enforce them.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutResourcePolicy.html
 */

const RESOURCE_ARN = { type: 'string', length: { min: 1, max: 1283 }, required: true } as const
const EXPECTED_REVISION = { type: 'string', length: { min: 1, max: 255 } } as const
/** The value of ExpectedRevisionId that expects a table without a policy. */
const NO_POLICY = 'NO_POLICY'
const MAX_POLICY_BYTES = 20 * 1024

interface PolicyInput {
  readonly ResourceArn: string
  readonly ExpectedRevisionId?: string
}

export const putResourcePolicy = defineOperation<PolicyInput & { readonly Policy: string }>(
  {
    type: 'structure',
    members: {
      ResourceArn: RESOURCE_ARN,
      Policy: { type: 'string', required: true },
      ExpectedRevisionId: EXPECTED_REVISION,
      ConfirmRemoveSelfResourceAccess: { type: 'boolean' },
    },
  },
  (input, context) => {
    const table = tableWithPolicy(context, input)
    const { policy } = table.state
    const next = nextPolicy(policy, input.Policy, context.clock.now())
    if (next === policy) return { RevisionId: next.revision }
    table.changePolicy(next)
    return afterwards(context.catalog.save(table), () => ({ RevisionId: next.revision }))
  },
)

export const getResourcePolicy = defineOperation<PolicyInput>(
  { type: 'structure', members: { ResourceArn: RESOURCE_ARN } },
  (input, context) => {
    const { policy } = tableWithPolicy(context, input).state
    if (policy === undefined) throw policyNotFound(input.ResourceArn)
    return { Policy: policy.text, RevisionId: policy.revision }
  },
)

export const deleteResourcePolicy = defineOperation<PolicyInput>(
  {
    type: 'structure',
    members: { ResourceArn: RESOURCE_ARN, ExpectedRevisionId: EXPECTED_REVISION },
  },
  (input, context) => {
    const table = tableWithPolicy(context, input)
    const { policy } = table.state
    // Deleting a policy twice is not an error.
    if (policy === undefined) return {}
    table.changePolicy(undefined)
    return afterwards(context.catalog.save(table), () => ({ RevisionId: policy.revision }))
  },
)

/** @throws ServiceError when there is no such table, or its policy has another revision than expected. */
function tableWithPolicy(
  { catalog, region }: OperationContext,
  { ResourceArn: arn, ExpectedRevisionId: expected }: PolicyInput,
): Table {
  const parts = parseTableArn(arn)
  if (parts === undefined) throw invalidParameters(`Invalid ResourceArn: ${arn}`)
  const table = parts.region === region ? catalog.get(region, parts.name) : undefined
  if (table === undefined || table.arn !== arn) throw resourceNotFound(`ResourceArn: ${arn} not found`)
  const isExpected = expected === undefined || expected === (table.state.policy?.revision ?? NO_POLICY)
  if (isExpected) return table
  throw policyNotFound(arn)
}

/**
 * The policy after the present one. The same text keeps its revision.
 * @throws ServiceError for a policy that is not a JSON object, or too long.
 */
export function nextPolicy(present: ResourcePolicy | undefined, text: string, now: number): ResourcePolicy {
  checkPolicy(text)
  if (present?.text === text) return present
  return { text, revision: String(Math.max(Math.floor(now), Number(present?.revision ?? 0) + 1)) }
}

function checkPolicy(text: string): void {
  if (Buffer.byteLength(text) > MAX_POLICY_BYTES) {
    throw invalidParameters(`The policy is longer than ${MAX_POLICY_BYTES} bytes`)
  }
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch {
    policy = undefined
  }
  if (!isJsonObject(policy)) throw invalidParameters('The policy is not a JSON object')
}

function policyNotFound(arn: string): ServiceError {
  return new ServiceError(
    'PolicyNotFoundException',
    `The operation tried to access a nonexistent resource-based policy: ${arn}`,
  )
}
