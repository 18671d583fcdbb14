// Started by start-up.js: the cost of a process with the AWS SDK, without any DynamoDB.
import { once } from 'node:events'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'

new DynamoDBClient({ region: 'us-east-1' })
process.send({})
await once(process, 'message')
process.exit()
