// Started by start-up.js: what a process with the AWS SDK costs before there is any DynamoDB.
import { once } from 'node:events'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'

new DynamoDBClient({ region: 'us-east-1' })
process.send({})
await once(process, 'message')
process.exit()
