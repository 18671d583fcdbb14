import { table } from '@isotherm/fixtures'
import { beforeAll, describe, expect, it } from 'vitest'
import { EngineFixture, REGION } from '../engine/engine.fixture.js'
import { ACCOUNT, tableArn } from '../table/table-arn.js'

const TableName = 'orders'
const HERE = tableArn(REGION, TableName)

describe('a list that is narrowed to a table by its ARN', () => {
  const fixture = new EngineFixture()
  beforeAll(() => {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }
    fixture.ask('CreateTable', { ...table(TableName, ['id']), StreamSpecification })
    fixture.ask('CreateBackup', { TableName, BackupName: 'before' })
  })

  it.each([
    ['ListStreams', 'Streams'],
    ['ListBackups', 'BackupSummaries'],
  ])(
    'holds what this table has, and nothing of a table with the same name elsewhere: %s',
    (operation, member) => {
      expect(fixture.ask(operation, { TableName: HERE })[member]).toHaveLength(1)
      const ofOthers = HERE.replace(ACCOUNT, '999999999999')
      expect(fixture.ask(operation, { TableName: ofOthers })[member]).toEqual([])
      expect(fixture.failure(operation, { TableName: tableArn('eu-west-3', TableName) })).toContain(
        'ValidationException: 1 validation error detected: Invalid AWS region in ',
      )
    },
  )
})
