/**
 * Tests find the same settings on every machine. Commands have the region of the environment or the profile, and tests make their tables in
 * the region that a command has without one.
 */
delete process.env.AWS_REGION
process.env.AWS_CONFIG_FILE = '/dev/null'
