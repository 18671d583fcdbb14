import { type Ended, runCommand } from './run-command.js'

/** The environment of a program that uses an engine of a test, without the machine's own settings. */
export function environmentFor(url: string, region: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  }
}

/** Runs a module in a separate process under this Node, because the engine answers in this process. */
export function runModule(
  file: string,
  env: Record<string, string>,
  options: { readonly cwd?: string; readonly timeout?: number } = {},
): Promise<Ended> {
  return runCommand(process.execPath, [file], { env, ...options })
}
