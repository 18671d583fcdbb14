import { inProcess } from './engines/local-engines.js'
import { heldOn } from './guarantees/held-on.js'

heldOn(inProcess)
