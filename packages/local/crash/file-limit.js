// Puts items into a new data directory until its file may not grow any more, and prints what happened as JSON. A test
// starts it with a limit of file sizes.
import { CreateTableCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '../dist/index.js'

const warnings = []
const local = createLocal({
  data: process.argv[2],
  throttle: false,
  onBug: (error) => warnings.push(error.message),
})
const client = local.client({ maxAttempts: 1 })
await client.send(
  new CreateTableCommand({
    TableName: 'things',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }),
)
let [written, refused, message] = [0, 0, '']
for (let number = 0; number < 80; number++) {
  const Item = { id: { S: `thing-${number}` }, text: { S: 'x'.repeat(100_000) } }
  try {
    await client.send(new PutItemCommand({ TableName: 'things', Item }))
    written++
  } catch (error) {
    refused++
    message = error.message
  }
}
const { Item } = await client.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: 'thing-0' } } }))
await local.close()
console.log(
  JSON.stringify({ written, refused, message, warnings: warnings.length, isReadable: Item !== undefined }),
)
