/** A mail server on loopback that lets itself be told a password, and says it again when it refuses. */
import { createServer, type Server } from 'node:net'

export function createTellingMail(record: (said: string) => void): Server {
  return createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 mail.test\r\n')
    socket.on('data', (data) => {
      const line = data.toString('utf8').trim()
      const [, coded] = /^AUTH PLAIN (\S+)/.exec(line) ?? []
      if (coded === undefined) {
        const answer = line.startsWith('EHLO') ? '250-mail.test\r\n250 AUTH PLAIN' : '250 ok'
        return void socket.write(`${answer}\r\n`)
      }
      const said = Buffer.from(coded, 'base64').toString('utf8').split('\0').at(-1) ?? ''
      record(said)
      socket.write(`535 ${said} ${coded} ${encodeURIComponent(said)} is wrong\r\n`)
    })
  })
}
