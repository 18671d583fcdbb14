import { dynamoDbLocal } from './engines/dynamodb-local.js'
import { heldOn } from './guarantees/held-on.js'

heldOn(dynamoDbLocal)
