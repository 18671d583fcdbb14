// Before each test file: properties draw their cases from the seed of the run. fast-check would draw a seed by chance.
import fc from 'fast-check'
import { inject } from 'vitest'
import './own-aws-settings.js'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seed') })
