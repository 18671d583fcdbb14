import { MAX_KEY_NAME_BYTES } from '@isotherm/semantics'
import { resourceInUse, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import type { TableState, TimeToLiveState } from '../table/table-state.js'
import { TABLE } from '../validation/members.js'
import { controlledTable, defineOperation } from './operation.js'

interface UpdateTimeToLiveInput {
  readonly TableName: string
  readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string }
}

export const updateTimeToLive = defineOperation<UpdateTimeToLiveInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE, required: true },
      TimeToLiveSpecification: {
        type: 'structure',
        required: true,
        members: {
          Enabled: { type: 'boolean', required: true },
          AttributeName: { type: 'string', length: { min: 1, max: MAX_KEY_NAME_BYTES }, required: true },
        },
      },
    },
  },
  (input, context) => {
    const { Enabled: enabled, AttributeName: attribute } = input.TimeToLiveSpecification
    const { catalog, lifeCycle, clock } = context
    const now = clock.now()
    const table = controlledTable(context, input.TableName)
    if (table.status !== 'ACTIVE' && table.status !== 'UPDATING') {
      const done = table.status === 'CREATING' ? 'created' : 'deleted'
      throw resourceInUse(`Table ${table.name} is being ${done}`)
    }
    checkChanges(table.state.timeToLive, enabled, attribute, now)
    lifeCycle.changeTimeToLive(table, enabled, attribute, now)
    const response = { TimeToLiveSpecification: { Enabled: enabled, AttributeName: attribute } }
    return afterwards(catalog.save(table), () => response)
  },
)

export const describeTimeToLive = defineOperation<{ readonly TableName: string }>(
  { type: 'structure', members: { TableName: { ...TABLE, required: true } } },
  (input, context) => {
    const table = controlledTable(context, input.TableName)
    const { timeToLive } = table.state
    if (table.status === 'CREATING' || table.status === 'DELETING') {
      throw validationException(
        `Cannot describe time to live while table is in ${table.status} state: Current table state is ${table.status}`,
      )
    }
    const status = statusOf(timeToLive, context.clock.now())
    return {
      TimeToLiveDescription: {
        TimeToLiveStatus: status,
        ...(timeToLive === undefined || status === 'DISABLED' ? {} : { AttributeName: timeToLive.attribute }),
      },
    }
  },
)

function checkChanges(
  state: TableState['timeToLive'],
  enabled: boolean,
  attribute: string,
  now: number,
): void {
  if (state !== undefined && now < state.until) {
    throw validationException('Time to live has been modified multiple times within a fixed interval')
  }
  const isOn = state?.enabled ?? false
  if (isOn && state?.attribute !== attribute) {
    throw validationException(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${state?.attribute}`,
    )
  }
  if (isOn === enabled) throw validationException(`TimeToLive is already ${enabled ? 'enabled' : 'disabled'}`)
}

function statusOf(state: TimeToLiveState | undefined, now: number): string {
  if (state === undefined) return 'DISABLED'
  const doing = now < state.until
  if (state.enabled) return doing ? 'ENABLING' : 'ENABLED'
  return doing ? 'DISABLING' : 'DISABLED'
}
