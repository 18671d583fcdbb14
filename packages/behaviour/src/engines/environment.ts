/** The one file of the suite that reads the environment. */

/** On the machine that checks what is merged, nothing is left out. */
export const skipsNothing = process.env.ISOTHERM_SKIP_NOTHING === 'true'

/** An engine that is asked besides, such as `http://127.0.0.1:8000` for ScyllaDB Alternator. */
export const otherEndpoint = process.env.ISOTHERM_BEHAVIOUR_ENDPOINT

/** What that engine lacks, by name and with commas between, such as `transactions`. */
export const otherEndpointLacks = process.env.ISOTHERM_BEHAVIOUR_LACKS

/** The region of Amazon DynamoDB where the suite may make tables, which cost money: cents. */
export const awsRegion = process.env.ISOTHERM_BEHAVIOUR_AWS

/** What programs that the suite starts are given besides. */
export const inherited: Readonly<NodeJS.ProcessEnv> = process.env
