export { findOracle } from './find-oracle.js'
export { startOracle } from './start-oracle.js'
