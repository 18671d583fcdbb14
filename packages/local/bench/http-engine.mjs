import { createLocal } from '@isotherm/local'

// Limits are not enforced, because throttled requests would be cheaper. Capacity is still counted.
const local = createLocal({ throttle: false })
const { url, port } = await local.listen({ port: 0 })
await fetch(url, {
  method: 'POST',
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.CreateTable' },
  body: JSON.stringify({
    TableName: 'bench',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  }),
})
process.send(port)
process.on('message', () => process.send(process.cpuUsage()))
