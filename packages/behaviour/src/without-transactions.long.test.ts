import { withoutTransactions } from './engines/local-engines.js'
import { heldOn } from './guarantees/held-on.js'

heldOn(withoutTransactions)
