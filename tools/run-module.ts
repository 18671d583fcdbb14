import { spawn } from 'node:child_process'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

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
export function runModule(file: string, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
