/** The suite's only file that reads the environment. */

/** Set where every change is checked: nothing is skipped there. */
export const skipsNothing = process.env.ISOTHERM_SKIP_NOTHING === 'true'

/** Another engine to test, such as `http://127.0.0.1:8000` for ScyllaDB Alternator. */
export const otherEndpoint = process.env.ISOTHERM_BEHAVIOUR_ENDPOINT

/** The features that this engine lacks, separated by commas, such as `transactions`. */
export const otherEndpointLacks = process.env.ISOTHERM_BEHAVIOUR_LACKS

/** The region of Amazon DynamoDB where the suite can create tables; this costs money: cents. */
export const awsRegion = process.env.ISOTHERM_BEHAVIOUR_AWS

/** The environment for programs that the suite starts. */
export const inherited: Readonly<NodeJS.ProcessEnv> = process.env
