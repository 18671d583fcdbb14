// Property tests of planted bugs: the same random cases each time, and no search for a smaller one once a test fails, which takes longer than the test.
import fc from '../../node_modules/fast-check/lib/fast-check.js'

fc.configureGlobal({ seed: 1, endOnFailure: true })

export * from '../../node_modules/fast-check/lib/fast-check.js'
export default fc
