import {
  invalidParameters,
  resourceNotFound,
  ServiceError,
  validationException,
} from '../errors/service-error.js'
import { nextPolicy, type ResourcePolicy } from '../policy/resource-policy.js'
import { afterwards } from '../storage/afterwards.js'
import type { Awaitable } from '../storage/storage.js'
import { ACCOUNT } from '../table/table-arn.js'
import { resourceTable } from '../validation/resource-arn.js'
import { defineOperation, type OperationContext } from './operation.js'

/**
 * Policies of tables and of streams are stored and returned. The engine does not enforce them.
 *
 * Sources: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutResourcePolicy.html,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-attach-resource-policy-streams.html
 */

const RESOURCE_ARN = { type: 'string', length: { min: 1, max: 1283 }, required: true } as const
const EXPECTED_REVISION = { type: 'string', length: { min: 1, max: 255 } } as const
/** The value of ExpectedRevisionId that expects a table without a policy. */
const NO_POLICY = 'NO_POLICY'

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
    const { policy, change } = resourceOf(context, input)
    const next = nextPolicy(policy, input.Policy, context.clock.now())
    if (next === policy) return { RevisionId: next.revision }
    return afterwards(change(next), () => ({ RevisionId: next.revision }))
  },
)

export const getResourcePolicy = defineOperation<PolicyInput>(
  { type: 'structure', members: { ResourceArn: RESOURCE_ARN } },
  (input, context) => {
    const { policy } = resourceOf(context, input)
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
    const { policy, change } = resourceOf(context, input)
    // Deleting a policy twice is not an error.
    if (policy === undefined) return {}
    return afterwards(change(undefined), () => ({ RevisionId: policy.revision }))
  },
)

/** A table or a stream, with its policy. */
interface PolicyResource {
  readonly policy: ResourcePolicy | undefined
  /** Changes the policy, and stores it. */
  change(policy: ResourcePolicy | undefined): Awaitable<void>
}

/** @throws ServiceError when there is no such resource, or its policy has another revision than expected. */
function resourceOf(
  context: OperationContext,
  { ResourceArn: arn, ExpectedRevisionId: expected }: PolicyInput,
): PolicyResource {
  const table = resourceTable(arn)
  const [, , , region, account] = arn.split(':')
  if (region !== context.region) throw invalidParameters(`Invalid resource Arn: ${arn}`)
  if (account !== ACCOUNT) {
    throw validationException(
      'This action is only supported by accounts that match the resource owner’s account.',
    )
  }
  const resource =
    table === undefined ? streamResource(context, arn) : tableResource(context, arn, table.name)
  if (resource === undefined) throw resourceNotFound(`ResourceArn: ${arn} not found`)
  if (expected === undefined || expected === (resource.policy?.revision ?? NO_POLICY)) return resource
  throw policyNotFound(arn)
}

/** Also of a disabled stream, and of a deleted table. */
function streamResource({ catalog, clock }: OperationContext, arn: string): PolicyResource | undefined {
  const stream = catalog.streams.get(arn, clock.now())
  if (stream === undefined) return undefined
  return {
    policy: stream.state.policy,
    change: (policy) => {
      stream.changePolicy(policy)
      return catalog.saveStream(stream)
    },
  }
}

function tableResource(
  { catalog, region }: OperationContext,
  arn: string,
  name: string,
): PolicyResource | undefined {
  const table = catalog.get(region, name)
  if (table === undefined || table.arn !== arn) return undefined
  return {
    policy: table.state.policy,
    change: (policy) => {
      table.changePolicy(policy)
      return catalog.save(table)
    },
  }
}

function policyNotFound(arn: string): ServiceError {
  return new ServiceError(
    'PolicyNotFoundException',
    `The operation tried to access a nonexistent resource-based policy: ${arn}`,
  )
}
