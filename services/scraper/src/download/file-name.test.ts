import { describe, expect, it } from '@jest/globals';
import { fileNameOf } from './file-name.ts';

const URL_OF_FILE = 'https://shop.example/files/prices%20of%202026.csv?page=1#top';

describe('fileNameOf', () => {
  it.each([
    [undefined, 'prices of 2026.csv'],
    ['attachment', 'prices of 2026.csv'],
    ['attachment; filename=a.zip', 'a.zip'],
    ['attachment; filename="a \\"b\\".zip"; size=3', 'a b.zip'],
    ['attachment; filename="plain.txt"; filename*=UTF-8\'\'%E2%82%AC%20rates.txt', '€ rates.txt'],
    ["inline; filename*=iso-8859-1'en'%A3%20rates.txt", '£ rates.txt'],
    [`attachment; filename="${Buffer.from('größe.csv').toString('latin1')}"`, 'größe.csv'],
    ['attachment; filename="f\u00fcr.csv"', 'für.csv'],
    ["attachment; filename*=UTF-8''%ff.txt; filename=plain.txt", 'plain.txt'],
    ['attachment; filename="plain.txt"; filename*=UTF-8%E2%82%AC.txt', 'plain.txt'],
    ["attachment; filename=plain.txt; filename*=none''a.txt", 'plain.txt'],
    ["attachment; filename*=UTF-8''%ff.txt", 'prices of 2026.csv'],
    ["attachment; filename*=UTF-8''a%zz.txt", 'a%zz.txt'],
    ["attachment; filename*=windows-1252''%80.txt; filename=plain.txt", '€.txt'],
    ["attachment; filename*=Shift_JIS''%93%FA%96%7B.txt", '日本.txt'],
    ['attachment; filename="=?UTF-8?B?5pel5pys6KqeLmNzdg==?="', '日本語.csv'],
    ['attachment; filename==?utf-8?b?5pel5pys6KqeLmNzdg==?=;', '日本語.csv'],
    ['attachment; filename="=?ISO-8859-1?Q?f=FCr_50%_=3D.csv?="', 'für 50% =.csv'],
    ['attachment; filename="a =?UTF-8*en?Q?=E2=82?=  =?utf-8?B?rA==?= b.csv"', 'a € b.csv'],
    ['attachment; filename="=?Shift_JIS?B?k/qWew==?=.csv"', '日本.csv'],
    ['attachment; filename="=?none?B?YQ==?=.csv"', '=noneBYQ===.csv'],
    ['attachment; filename="=?UTF-8?X?a?= 1=?2.csv"', '=UTF-8Xa= 1=2.csv'],
    ['attachment; filename="prices%20%E2%82%AC.csv"', 'prices €.csv'],
    ['attachment; filename="50%.csv"', '50%.csv'],
    ['attachment; filename="%ff.csv"', '%ff.csv'],
    ['attachment; filename=""', 'prices of 2026.csv'],
  ])('reads %j', (disposition, name) => {
    expect(fileNameOf(disposition, URL_OF_FILE)).toBe(name);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['/a/b/', 'b'],
    ['C:report.txt', 'Creport.txt'],
    ['..', 'prices of 2026.csv'],
    ['.bashrc', 'bashrc'],
    ['con.txt', '_con.txt'],
    ['COM1', '_COM1'],
    ['a.txt . .', 'a.txt'],
    ['a\u0000b\u0007.txt', 'ab.txt'],
    ['gpj.\u202eexe', 'gpj.exe'],
    ['a<b>:|?*.txt', 'ab.txt'],
  ])('makes %j harmless', (given, name) => {
    const encoded = `attachment; filename*=UTF-8''${encodeURIComponent(given)}`;
    expect(fileNameOf(encoded, URL_OF_FILE)).toBe(name);
  });

  it('cuts long names at a character, and keeps the extension', () => {
    const name = fileNameOf(`attachment; filename*=UTF-8''${'%E2%82%AC'.repeat(300)}.tar`, URL_OF_FILE);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^€+\.tar$/);
  });

  it.each([
    ['https://shop.example/', 'download'],
    ['https://shop.example/%2e%2e%2f%2e%2e%2fpasswd', 'passwd'],
    ['https://shop.example/%E0%A4%A', '%E0%A4%A'],
  ])('takes the end of %s', (url, name) => {
    expect(fileNameOf(undefined, url)).toBe(name);
  });
});
