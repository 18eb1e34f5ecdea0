import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Options } from '../call.ts'
import { parseServerUrl } from './link.ts'

test('the password of an address is in what is said about it', () => {
  const options = new Options({})
  const said = (url: string): string => {
    try {
      return parseServerUrl(url, { options })
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }
  assert.match(said('http://ann:secret@example.com'), /^`http:\/\/example.com` is another machine/)
  assert.match(said('ftp://ann:secret@127.0.0.1'), /^`ftp:\/\/ann@127.0.0.1` is no address/)
  assert.equal(said('https://ann:secret@example.com/x?y'), 'https://example.com')
})
