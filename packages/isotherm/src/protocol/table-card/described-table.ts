import { DescribeTableCommand, type TableDescription } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'

/**
 * @returns `undefined` if the table cannot be described: without the right to do so, and on an engine that does not know the request
 * @throws IsothermError `table.missing`
 */
export async function describedTable(
  TableName: string,
  client: PhysicalClient,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) return undefined
    throw new IsothermError(
      'table.missing',
      `The table ${TableName} does not exist in this region and account. Create it, or correct its name in the option tables.`,
      { table: TableName },
      { cause: error },
    )
  }
}
