import {
  DeleteTableCommand,
  DescribeContributorInsightsCommand,
  ListContributorInsightsCommand,
  UpdateContributorInsightsCommand,
  type UpdateContributorInsightsCommandInput,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudwatchFixture } from '../cloudwatch/cloudwatch.fixture.js'

let fixture: CloudwatchFixture

beforeEach(() => {
  fixture = new CloudwatchFixture()
})

afterEach(() => fixture.local.close())

const nameOf = (number: number) => `table_${String(number).padStart(2, '0')}`

/** Creates a table with a sort key. Its insights have four rules, two of them for throttled keys. */
async function create(TableName: string) {
  await fixture.client.send(createTable(TableName, ['pk', 'sk']))
}

async function update(TableName: string, input: Partial<UpdateContributorInsightsCommandInput> = {}) {
  await fixture.client.send(
    new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE', ...input }),
  )
  const described = await fixture.client.send(new DescribeContributorInsightsCommand({ TableName }))
  return {
    status: described.ContributorInsightsStatus,
    rules: described.ContributorInsightsRuleList?.map((name) => name.split('-')[1]),
    failure: described.FailureException?.ExceptionName,
  }
}

const ENABLED = { status: 'ENABLED', rules: ['PKC', 'SKC', 'PKT', 'SKT'], failure: undefined }
const FAILED = { status: 'FAILED', rules: [], failure: 'LimitExceededException' }

/** Uses all hundred rules, with 25 tables. */
async function useUp() {
  for (let number = 1; number <= 25; number++) {
    await create(nameOf(number))
    expect(await update(nameOf(number))).toEqual(ENABLED)
  }
}

describe('the quota of insight rules', () => {
  it('is a hundred for all tables together; the next table fails and stays listed', async () => {
    await useUp()
    await create('one_more')
    expect(await update('one_more')).toEqual(FAILED)
    const { ContributorInsightsSummaries: listed } = await fixture.client.send(
      new ListContributorInsightsCommand({ TableName: 'one_more' }),
    )
    expect(listed).toMatchObject([{ ContributorInsightsStatus: 'FAILED' }])
    expect(await update(nameOf(25))).toEqual(ENABLED)
  })

  it('is not checked again before the next request', async () => {
    await useUp()
    await create('one_more')
    await update('one_more')
    await fixture.client.send(new DeleteTableCommand({ TableName: nameOf(1) }))
    fixture.clock.advance(3_600_000)
    const described = await fixture.client.send(
      new DescribeContributorInsightsCommand({ TableName: 'one_more' }),
    )
    expect(described.ContributorInsightsStatus).toBe('FAILED')
    expect(await update('one_more')).toEqual(ENABLED)
  })

  it('is freed by disabling insights, and by a smaller mode', async () => {
    await useUp()
    await create('one_more')
    const less = { ContributorInsightsMode: 'THROTTLED_KEYS' } as const
    expect(await update('one_more', less)).toEqual(FAILED)
    expect((await update(nameOf(1), less)).rules).toEqual(['PKT', 'SKT'])
    expect((await update('one_more')).status).toBe('ENABLED')
    const more = { ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS' } as const
    expect(await update('one_more', more)).toEqual({ ...FAILED, rules: ['PKT', 'SKT'] })
    await update(nameOf(1), { ContributorInsightsAction: 'DISABLE' })
    expect(await update('one_more', more)).toEqual(ENABLED)
  })

  it('does not prevent disabling insights that failed', async () => {
    await useUp()
    await create('one_more')
    await update('one_more')
    const disabled = await update('one_more', { ContributorInsightsAction: 'DISABLE' })
    expect(disabled).toEqual({ status: 'DISABLED', rules: [], failure: undefined })
  })
})
