import { createServer } from 'node:http'

/**
 * The engine's response, with its headers. This server parses the JSON of every request, drops it, and sends this
 * response.
 */
const { headers, body } = JSON.parse(process.argv[2])
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString())
    response.writeHead(200, headers)
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => process.send(process.cpuUsage()))
