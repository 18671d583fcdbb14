import { MEASURED_FIGURES } from './measured-figures.js'

// A process for each, so that no figure depends on the one before it.
process.on('disconnect', () => process.exit())
const figure = MEASURED_FIGURES.find(({ name }) => name === process.argv[2])
process.send?.(await figure?.measure())
process.disconnect?.()
