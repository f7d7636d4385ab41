// What the program wrote into the page: one block of JSON, and blocks of numbers in base64.

const kTypes = {u8: Uint8Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array, f64: Float64Array};

// The JSON of the page; throws with a plain sentence where it is missing or broken.
export function read_page()
{
    const block = document.getElementById('page-data');
    if (!block) throw new Error('This page holds no recording. It is made by `rattleback view a.rec -o page.html`.');
    let page;
    try
    {
        page = JSON.parse(block.textContent);
    }
    catch
    {
        throw new Error('The description of the recording in this page is damaged. Make the page again.');
    }
    if (page.format !== 1) throw new Error(`This page holds data of format ${page.format}; it can show format 1.`);
    return page;
}

// Bytes of base64 text.
function decode_base64(text)
{
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

// The named arrays of a pack: {name: typed array}. `bytes` must start at a multiple of 8 in its buffer.
export function read_sections(pack, bytes)
{
    const arrays = {};
    for (const [name, [type, offset, count]] of Object.entries(pack.sections))
    {
        const Type = kTypes[type];
        if (!Type || offset % 8 !== 0 || offset + count * Type.BYTES_PER_ELEMENT > bytes.byteLength)
        {
            throw new Error(`The numbers '${name}' in this page are damaged. Make the page again.`);
        }
        arrays[name] = new Type(bytes.buffer, bytes.byteOffset + offset, count);
    }
    return arrays;
}

// The arrays of a pack that lies in a block of the page. The block is emptied: its text is not needed twice.
export function read_block(pack)
{
    const block = document.getElementById(`block-${pack.block}`);
    if (!block) throw new Error('Numbers are missing in this page. Make the page again.');
    const bytes = decode_base64(block.textContent.trim());
    block.remove();
    return read_sections(pack, bytes);
}

// A pack as the server sends it: length of the JSON (u32), 4 bytes of nothing, JSON padded to 8 bytes, numbers.
export function read_message(buffer)
{
    const size = new DataView(buffer).getUint32(0, true);
    const text = new TextDecoder().decode(new Uint8Array(buffer, 8, size));
    const pack = JSON.parse(text);
    const begin = 8 + 8 * Math.ceil(size / 8);
    return {pack, arrays: read_sections(pack, new Uint8Array(buffer, begin))};
}
