// Property tests of planted bugs: no search for a smaller case once a test fails, which takes longer than the test.
import fc from '../../node_modules/fast-check/lib/fast-check.js'

fc.configureGlobal({ endOnFailure: true })

export * from '../../node_modules/fast-check/lib/fast-check.js'
export default fc
