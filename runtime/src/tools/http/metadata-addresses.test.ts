/** What hands out credentials to whoever runs in a cloud is no place for a tool, whatever the operator allows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAddressClass } from './address-class.ts'

const METADATA = {
  'Amazon, Google, Azure, Oracle, DigitalOcean': '169.254.169.254',
  'Amazon, for containers': '169.254.170.2',
  'Azure, its wire server': '168.63.129.16',
  Alibaba: '100.100.100.200',
  'Oracle, of old': '192.0.0.192',
  'Scaleway over link-local': '169.254.42.42',
  'Amazon over IPv6': 'fd00:ec2::254',
  'Amazon over IPv6, for containers': 'fd00:ec2::23',
  'Google over IPv6': 'fd20:ce::254',
  'Oracle over IPv6': 'fd00:c1::a9fe:a9fe',
  'Scaleway over IPv6': 'fd00:42::42',
  'OpenStack over IPv6': 'fe80::a9fe:a9fe',
} as const

test('a metadata service of a cloud is no private address', () => {
  for (const [cloud, address] of Object.entries(METADATA))
    assert.equal(findAddressClass(address), 'forbidden', cloud)
  for (const address of ['fd00:1::1', 'fd20:cf::1', 'fc00::1', '100.100.100.201'])
    assert.equal(findAddressClass(address), 'private', address)
})
