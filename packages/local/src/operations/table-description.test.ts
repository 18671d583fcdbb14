import { table } from '@isotherm/fixtures'
import { expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const TableName = 'orders'

it('says when the class of a table was changed, and not when it was created with one', () => {
  const fixture = new EngineFixture()
  const described = () => fixture.ask('DescribeTable', { TableName }).Table.TableClassSummary
  fixture.ask('CreateTable', { ...table(TableName, ['id']), TableClass: 'STANDARD' })
  expect(described()).toEqual({ TableClass: 'STANDARD' })
  fixture.ask('UpdateTable', { TableName, TableClass: 'STANDARD_INFREQUENT_ACCESS' })
  const changed = {
    TableClass: 'STANDARD_INFREQUENT_ACCESS',
    LastUpdateDateTime: fixture.clock.now() / 1000,
  }
  expect(described()).toEqual(changed)
  fixture.ask('UpdateTable', { TableName, DeletionProtectionEnabled: true })
  expect(described()).toEqual(changed)
})
