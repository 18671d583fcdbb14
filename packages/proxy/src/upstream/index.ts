export { cloudWatchClientOf } from './cloud-watch-client.js'
export { otherEngine } from './other-engine.js'
