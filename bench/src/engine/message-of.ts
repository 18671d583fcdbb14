import type { ChildProcess } from 'node:child_process'

/** The next message of a process. @throws Error if the process ends without one */
export function messageOf<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit)
      resolve(message as Message)
    }
    const onExit = (code: number | null) => {
      child.off('message', onMessage)
      reject(new Error(`A process of the benchmark ended with code ${code} before it answered.`))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}
