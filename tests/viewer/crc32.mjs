// CRC-32 of zip, bit by bit turned into a table. Node has one of its own only from version 22.
const table = Uint32Array.from({length: 256}, (unused, byte) =>
{
    let value = byte;
    for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
});

export function crc32(bytes)
{
    let value = 0xffffffff;
    for (const byte of bytes) value = (value >>> 8) ^ table[(value ^ byte) & 255];
    return (value ^ 0xffffffff) >>> 0;
}
