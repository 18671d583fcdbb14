import { amazonDynamoDb, otherEngine } from './engines/elsewhere.js'
import { heldOn } from './guarantees/held-on.js'

heldOn(otherEngine)
heldOn(amazonDynamoDb)
