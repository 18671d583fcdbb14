// An entry of its own, because pages in a browser use it: it has no dependency.
export { type KeyDemand, keyOdds, oneKeyShards } from './one-key-shards.js'
