/**
 * Tests find the same settings on every machine. Commands have the region and the endpoint of the environment or the profile, and tests make
 * their tables in the region, and at the endpoint, that a command has without one.
 */
const OF_THE_MACHINE = [
  'AWS_REGION',
  'AWS_PROFILE',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_ENDPOINT_URL_DYNAMODB_STREAMS',
  'AWS_ENDPOINT_URL_CLOUDWATCH',
]
for (const name of OF_THE_MACHINE) delete process.env[name]
for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) process.env[name] = '/dev/null'
