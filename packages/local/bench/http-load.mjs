import { connect } from 'node:net'

/**
 * Sends requests over kept-alive connections, each after the previous response, for a number of seconds or of requests.
 * Responses must have a Content-Length and the status 200. Anything else ends the measurement.
 */
export async function drive({
  port,
  requests,
  connections,
  seconds = Number.POSITIVE_INFINITY,
  count: limit,
}) {
  const from = performance.now()
  const until = from + seconds * 1000
  let sent = 0
  let count = 0
  let answer
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let received = ''
      const next = () => {
        if (performance.now() >= until || (limit !== undefined && sent >= limit)) return socket.end()
        socket.write(requests[sent++ % requests.length])
      }
      socket.on('connect', next)
      socket.on('data', (data) => {
        received += data.latin1Slice()
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
        if (received.length < end + 4 + length) return
        if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received))
        answer ??= parsed(received, end)
        received = ''
        count++
        next()
      })
      socket.on('error', reject)
      socket.on('close', resolve)
    })
  await Promise.all(Array.from({ length: connections }, one))
  return { count, seconds: (performance.now() - from) / 1000, answer }
}

/** The headers chosen by the server itself, and the body. */
function parsed(text, end) {
  const headers = text
    .slice(text.indexOf('\r\n') + 2, end)
    .split('\r\n')
    .map((line) => line.split(': ', 2))
    .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name))
  return { headers: Object.fromEntries(headers), body: text.slice(end + 4) }
}
