import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { membersOf, transactingTable } from '../../test/transacting-table.js'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import { announce, drain, move } from '../protocol/states/calculated-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { viewOf } from '../protocol/states/shard-view.js'
import { CreationWait } from './creation-wait.js'
import { absenceCheck, copyDeletion, ownAction } from './placed-action.js'

const announced = announce(firstState(2, 1_000), 5, 2_000)
const draining = drain(move(announced, 3_000), 4_000)
const CHANGING = viewOf(announced, Number.POSITIVE_INFINITY)
const PAST = viewOf(draining, Number.POSITIVE_INFINITY)

const tableOf = (name: string, view = CHANGING, cacheMilliseconds = 10_000) =>
  transactingTable({ suffix: 'calculated', name, view, cacheMilliseconds }).table

interface Named {
  readonly TableName: string
}

const itemOf = (table: ReturnType<typeof tableOf>, given: (action: Named) => TransactWriteItem) => {
  const [member] = membersOf([table], given({ TableName: table.options.name }))
  if (member === undefined) throw new Error('No member.')
  return member
}

const Key = { pk: { S: 'k' }, sk: { S: '1' } }
const put = (action: Named): TransactWriteItem => ({ Put: { ...action, Item: Key } })
const check = (action: Named): TransactWriteItem => ({
  ConditionCheck: { ...action, Key, ConditionExpression: 'attribute_exists(pk)' },
})
const deletion = (action: Named): TransactWriteItem => ({ Delete: { ...action, Key } })

const times = <Each>(count: number, each: Each): readonly Each[] => new Array<Each>(count).fill(each)

const LOG = tableOf('log')
const CREATION = ownAction(itemOf(LOG, put), 1, 'missing')
const ABSENCE = absenceCheck(itemOf(LOG, put), 2)
const OWN_CHECK = ownAction(itemOf(LOG, check), 1, 'there')
const COPY = copyDeletion(itemOf(LOG, deletion), 2)

/** What a transaction with these actions does: whether it is placed again, and how many seconds later. */
async function waited(...actions: Parameters<CreationWait['shortens']>[0]) {
  const clock = new VirtualClock()
  const began = clock.now()
  const wait = new CreationWait(new AttemptBudget({ clock } as never, undefined))
  const shortens = await clock.run(() => wait.shortens(actions))
  expect(wait.waitedMilliseconds).toBe(clock.now() - began)
  return { shortens, seconds: wait.waitedMilliseconds / 1_000 }
}

const AT_ONCE = { shortens: false, seconds: 0 }

describe('a transaction with creations that take two actions each', () => {
  it('does not wait if all of them fit', async () => {
    expect(await waited(...times(50, CREATION), ...times(50, ABSENCE))).toEqual(AT_ONCE)
  })

  it('waits if one is too many, at most for two phases and the lifetime of a view', async () => {
    const actions = [...times(51, CREATION), ...times(50, ABSENCE)]
    expect(await waited(...actions)).toEqual({ shortens: false, seconds: 2 * (10 + 5) + 10 })
  })

  it('is placed again as soon as creations need no checks', async () => {
    const table = tableOf('log', PAST)
    const actions = [
      ...times(60, ownAction(itemOf(table, put), 1, 'missing')),
      ...times(60, absenceCheck(itemOf(table, put), 2)),
    ]
    expect(await waited(...actions)).toEqual({ shortens: true, seconds: 1 })
  })

  it('waits for the table whose phases take longest', async () => {
    const slow = tableOf('slow', CHANGING, 15_000)
    const [fast, other] = [itemOf(LOG, put), itemOf(slow, put)]
    const actions = [
      ...times(60, ownAction(fast, 1, 'missing')),
      ...times(30, absenceCheck(fast, 2)),
      ...times(30, absenceCheck(other, 2)),
    ]
    expect(await waited(...actions)).toEqual({ shortens: false, seconds: 2 * (15 + 5) + 15 })
  })

  it('waits for a minute at most', async () => {
    const slow = itemOf(tableOf('slow', CHANGING, 60_000), put)
    const actions = [...times(60, ownAction(slow, 1, 'missing')), ...times(60, absenceCheck(slow, 2))]
    expect(await waited(...actions)).toEqual({ shortens: false, seconds: 60 })
  })

  it('does not wait if it would not fit without the checks, either', async () => {
    expect(await waited(...times(101, CREATION), ...times(10, ABSENCE))).toEqual(AT_ONCE)
  })

  it('does not wait for checks of its own, or for the deletion of copies, which no phase makes unnecessary', async () => {
    const added = times(30, COPY)
    expect(await waited(...times(60, CREATION), ...times(40, OWN_CHECK), ...added)).toEqual(AT_ONCE)
    const withChecks = [...times(60, CREATION), ...times(40, OWN_CHECK), ...times(1, COPY)]
    expect(await waited(...withChecks, ...times(10, ABSENCE))).toEqual(AT_ONCE)
  })
})
