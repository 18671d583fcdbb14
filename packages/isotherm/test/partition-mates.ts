import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'

/** Logical keys whose first shard is in the same partition of a new on-demand table as the first shard of `key`. */
export async function partitionMates(key: string, count: number): Promise<readonly string[]> {
  const local = createLocal({ throttle: false, metrics: false })
  const client = local.client()
  await client.send(createTable('probe', ['pk']))
  const partitionOf = async (logical: string) => {
    const before = writtenUnits(local)
    await client.send(new PutItemCommand({ TableName: 'probe', Item: { pk: { S: `${logical}_1` } } }))
    return writtenUnits(local).findIndex((units, index) => units !== before[index])
  }
  const partition = await partitionOf(key)
  const mates: string[] = []
  for (let number = 0; mates.length < count; number++) {
    const mate = `mate ${number}`
    if ((await partitionOf(mate)) === partition) mates.push(mate)
  }
  await local.close()
  return mates
}

function writtenUnits(local: Local): readonly number[] {
  return local.partitions('probe').map(({ write }) => write.consumedUnits)
}
