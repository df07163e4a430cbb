/**
 * Written by `npm run docs` from the OpenAPI document; a test compares them. Do not edit.
 */

export interface components {
    schemas: {
        /**
         * @description `<css>[::text | ::attr(<name>) | ::html][::all]`, or an object with options, which are applied in this order: selector, exclude, json, pattern, type, default, required.
         * @example h1
         * @example {
         *       "selector": ".price",
         *       "type": "price",
         *       "currency": "EUR",
         *       "required": true
         *     }
         * @example {
         *       "selector": ".card",
         *       "all": true,
         *       "fields": {
         *         "title": "h2",
         *         "url": "a::attr(href)"
         *       }
         *     }
         */
        Selector: string | {
            /** @description Selects the element; with `all`, every element. It may be left out when `json` reads a JSON document or the record around the field. */
            selector?: string;
            /** @description Every match, as an array. Default false. */
            all?: boolean;
            /** @description Resolve href and src against the page's base URL. Default false. */
            absolute?: boolean;
            /**
             * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
             * @example {
             *       "title": "h1",
             *       "prices": ".price::text::all"
             *     }
             */
            fields?: {
                [key: string]: components["schemas"]["Selector"];
            };
            /**
             * @description White space of a text: one space for each run, or unchanged, with line breaks at br and between blocks. Default collapse.
             * @enum {string}
             */
            whitespace?: "collapse" | "keep";
            /**
             * @description CSS selector list of descendants whose text is left out.
             * @example sup, .visually-hidden
             */
            exclude?: string;
            /**
             * @description JSONPath (RFC 9535, without functions) into the text of the element, the body of a JSON document, or the JSON record around the field. Values keep their JSON type.
             * @example $.offers[*].price
             */
            json?: string;
            /**
             * @description Name of a capture: `json` reads its responses instead of the page, all of them in their order.
             * @example offers
             */
            from?: string;
            /**
             * @description Regular expression in RE2 syntax, at most 1 KiB: the value is its first group, or the whole match if it has none. It reads the first 64 KiB of the text.
             * @example (\d+) left
             */
            pattern?: string;
            /**
             * @description Type of the value. A text that does not convert becomes null, with the warning VALUE_NOT_CONVERTED.
             * @enum {string}
             */
            type?: "string" | "number" | "integer" | "price" | "boolean" | "date" | "datetime" | "url" | "json" | "table" | "rows" | "markdown" | "count";
            /**
             * @description Any JSON of at most 4 KiB; replaces null.
             * @example 0
             */
            default?: unknown;
            /** @description Without a value, a record of a list is left out, and anything else fails with REQUIRED_FIELD_MISSING. Default false. */
            required?: boolean;
            /**
             * @description BCP 47 tag of the language that numbers, prices and dates are written in.
             * @example de
             */
            locale?: string;
            /**
             * @description ISO 4217 code of prices whose text does not name their currency.
             * @example EUR
             */
            currency?: string;
            /**
             * @description Format of the dates; without it, common formats are recognized.
             * @example dd.MM.yyyy HH:mm
             */
            format?: string;
            /**
             * @description IANA time zone of times that do not name their offset. Default UTC.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description Of a list of records: the field that tells them apart when runs are compared. Without it, one is looked for: an id, a URL, a unique text.
             * @example sku
             */
            key?: string;
            /**
             * @description Bounds of its own: a job in which the field returns less is `partial`, with the warning EXPECTATION_FAILED. For the health of a schedule they replace what was usual. Only pages of the verdict `content` count.
             * @example {
             *       "fill": 0.9,
             *       "min": 10
             *     }
             */
            expect?: {
                /** @description Least share of the pages, or of the records around the field, that have a value. */
                fill?: number;
                /** @description Least number of values or records on a page, on average over the pages. */
                min?: number;
            };
        };
        Cookie: {
            /** @description May be empty: a cookie without a name is its value. */
            name: string;
            value: string;
            /** @description The host that gets the cookie: a name with all its subdomains, or an IP address without brackets, which has none. Defaults to the host of the URL alone. A cookie of another host is sent only where a redirect or the page itself leads there. */
            domain?: string;
            path?: string;
            expires?: number | string;
            httpOnly?: boolean;
            secure?: boolean;
            /** @enum {string} */
            sameSite?: "Strict" | "Lax" | "None";
        };
        /** @description A step on a rendered page, named by its verb. */
        Action: {
            /**
             * @description The element.
             * @example .more
             */
            click: string;
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description The field.
             * @example #q
             */
            fill: string;
            /** @description The text, or the name of a secret of the account: `{"secret": "shop-password"}`. */
            value: string | {
                secret: string;
            };
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description The key, after `Shift+`, `Control+`, `Alt+` or `Meta+` with these held.
             * @example Enter
             * @example Shift+Tab
             */
            press: string;
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            waitFor: string | number;
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description The `select` element.
             * @example #size
             */
            select: string;
            /** @description The text, or the name of a secret of the account: `{"secret": "shop-password"}`. */
            value: string | {
                secret: string;
            };
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description A checkbox, a radio button or a switch.
             * @example #in-stock
             */
            check: string;
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description A checkbox or a switch.
             * @example #in-stock
             */
            uncheck: string;
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description The element.
             * @example nav .menu
             */
            hover: string;
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description `end`, or an element.
             * @example end
             * @example .footer
             */
            scroll: string;
            /**
             * @description With `end`: the element that scrolls. Default: the page, else its largest part that scrolls.
             * @example .grid
             */
            in?: string;
            /**
             * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
             * @example iframe.checkout
             * @example [
             *       "iframe.shop",
             *       "iframe.checkout"
             *     ]
             */
            frame?: string | string[];
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /**
             * @description The elements.
             * @example .card
             */
            collect: string;
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        } | {
            /** @description The steps. */
            repeat: ({
                /**
                 * @description The element.
                 * @example .more
                 */
                click: string;
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description The field.
                 * @example #q
                 */
                fill: string;
                /** @description The text, or the name of a secret of the account: `{"secret": "shop-password"}`. */
                value: string | {
                    secret: string;
                };
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description The key, after `Shift+`, `Control+`, `Alt+` or `Meta+` with these held.
                 * @example Enter
                 * @example Shift+Tab
                 */
                press: string;
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                waitFor: string | number;
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description The `select` element.
                 * @example #size
                 */
                select: string;
                /** @description The text, or the name of a secret of the account: `{"secret": "shop-password"}`. */
                value: string | {
                    secret: string;
                };
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description A checkbox, a radio button or a switch.
                 * @example #in-stock
                 */
                check: string;
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description A checkbox or a switch.
                 * @example #in-stock
                 */
                uncheck: string;
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description The element.
                 * @example nav .menu
                 */
                hover: string;
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description `end`, or an element.
                 * @example end
                 * @example .footer
                 */
                scroll: string;
                /**
                 * @description With `end`: the element that scrolls. Default: the page, else its largest part that scrolls.
                 * @example .grid
                 */
                in?: string;
                /**
                 * @description The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself.
                 * @example iframe.checkout
                 * @example [
                 *       "iframe.shop",
                 *       "iframe.checkout"
                 *     ]
                 */
                frame?: string | string[];
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            } | {
                /**
                 * @description The elements.
                 * @example .card
                 */
                collect: string;
                /** @description Skip the step where it cannot be done, instead of failing. Default false. */
                optional?: boolean;
            })[];
            /** @description Most rounds. Default 20. */
            times?: number;
            /** @description Skip the step where it cannot be done, instead of failing. Default false. */
            optional?: boolean;
        };
        ScrapeRequest: {
            /**
             * @description The page: an absolute http or https URL.
             * @example https://example.com/
             */
            url: string;
            /**
             * @description A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options.
             * @example auto
             */
            recipe?: string;
            /**
             * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
             * @example {
             *       "title": "h1",
             *       "prices": ".price::text::all"
             *     }
             */
            selectors?: {
                [key: string]: components["schemas"]["Selector"];
            };
            /**
             * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
             * @example [
             *       "markdown",
             *       "metadata"
             *     ]
             * @example [
             *       {
             *         "type": "markdown",
             *         "main": true
             *       },
             *       "metadata"
             *     ]
             */
            formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                /**
                 * @description Name of the format.
                 * @enum {string}
                 */
                type: "markdown" | "links" | "images" | "text" | "html";
                /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                main?: boolean;
                /**
                 * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                 * @example main, .post
                 */
                include?: string;
                /**
                 * @description CSS selector list of elements to leave out, whatever else says.
                 * @example .ads, .share
                 */
                exclude?: string;
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            } | {
                /** @constant */
                type: "article";
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            })[];
            /**
             * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
             * @example {
             *       "schema": {
             *         "type": "object",
             *         "properties": {
             *           "title": {
             *             "type": "string"
             *           },
             *           "price": {
             *             "type": "number"
             *           }
             *         }
             *       }
             *     }
             */
            extract?: {
                /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                schema: {
                    [key: string]: unknown;
                };
                /** @description What the model is told besides the schema. */
                prompt?: string;
                /**
                 * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                 * @enum {string}
                 */
                evidence?: "required" | "report";
                /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                maxCredits?: number;
            };
            /**
             * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
             * @example de
             */
            locale?: string;
            /**
             * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
            body?: string;
            /**
             * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
             * @example {
             *       "query": "kettle",
             *       "page": 1
             *     }
             */
            json?: unknown;
            /**
             * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
             * @example {
             *       "q": "kettle",
             *       "category": [
             *         "kitchen",
             *         "outdoor"
             *       ]
             *     }
             */
            form?: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            /** @description Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false. */
            repeatable?: boolean;
            /**
             * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
             * @enum {unknown}
             */
            render?: true | false | "auto";
            /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
            antiBot?: boolean;
            /**
             * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
             * @example us
             */
            proxy?: string;
            /**
             * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
             * @example [
             *       {
             *         "fill": "#q",
             *         "value": "kettle"
             *       },
             *       {
             *         "press": "Enter"
             *       },
             *       {
             *         "waitFor": ".results"
             *       }
             *     ]
             * @example [
             *       {
             *         "repeat": [
             *           {
             *             "click": "a.more"
             *           }
             *         ],
             *         "times": 20
             *       }
             *     ]
             */
            actions?: components["schemas"]["Action"][];
            /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
            waitFor?: string | number;
            /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
            screenshot?: boolean | {
                /** @description The whole page, however long, or only what the window shows first. Default true. */
                fullPage?: boolean;
                /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                selector?: string;
                /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                viewport?: {
                    width: number;
                    height: number;
                    /** @description Pixels of the image for each CSS pixel. Default 1. */
                    scale?: number;
                };
                /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                mobile?: boolean;
                /**
                 * @description Default png.
                 * @enum {string}
                 */
                format?: "png" | "jpeg" | "webp";
                /** @description Of a JPEG or WebP image. Default 80. */
                quality?: number;
            };
            /**
             * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
             * @enum {string}
             */
            overlays?: "keep" | "hide" | "accept" | "reject";
            /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
            frames?: boolean;
            /**
             * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
             * @example {
             *       "offers": {
             *         "url": "**\/api/offers*",
             *         "wait": 1
             *       }
             *     }
             */
            capture?: {
                [key: string]: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    url: string | {
                        regex: string;
                    };
                    /**
                     * @description Only requests with this method. Default: any.
                     * @enum {string}
                     */
                    method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                    types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                    /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                    wait?: number;
                    /** @description Number of responses that are kept, the first ones. Default 20. */
                    limit?: number;
                };
            };
            /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
            pdf?: {
                /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                maxPages?: number;
            };
            /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
            download?: boolean;
            /**
             * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
             * @enum {string}
             */
            onSuspect?: "keep" | "fail";
            /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
            snapshot?: boolean;
            /**
             * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
             * @example 3600000
             */
            maxAge?: number;
            /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
            freshContext?: boolean;
            /** @description Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs. */
            cookies?: components["schemas"]["Cookie"][];
            /**
             * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
             * @example {
             *       "Accept-Language": "de"
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
             * @example prof_01jd8x0000000000000000000
             */
            profile?: string | {
                id: string;
                /** @description Store what the page leaves in the session. Default true. */
                save?: boolean;
            };
            /** @description The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead. */
            maxCredits?: number;
            /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
            timeout?: number;
            /** @description Return a small image of the window after each of the first 20 steps of `actions`, as `stepScreenshots` of the response or of the error, to see what they do. Default false. */
            stepScreenshots?: boolean;
        };
        /** @description Whether the page is what was asked for, or what a site sends instead. Absent from results that older versions have stored. */
        Verdict: {
            /**
             * @description `content` unless something speaks against it. The other kinds are what sites send instead: a captcha (`wall`), a `login`, a page that asks for `consent`, an error page with a status of success (`notFound`), a page that scripts have yet to fill (`shell`), nothing (`empty`), or a `notice` such as one of maintenance.
             * @enum {string}
             */
            page: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            /**
             * @description `observed` rests on what the page is made of; `inferred` is a guess, from its words or because nothing was observed, and never fails a page.
             * @enum {string}
             */
            basis: "observed" | "inferred";
            /** @description What speaks for the kind of page; empty for `content`. */
            signals: {
                /**
                 * @description See docs/verdicts.md; more codes may be added.
                 * @enum {string}
                 */
                code: "CAPTCHA_WIDGET" | "CAPTCHA_FIELD" | "WALL_REDIRECT" | "LOGIN_REDIRECT" | "PASSWORD_FORM" | "CONSENT_REDIRECT" | "CONSENT_LAYER" | "NOT_FOUND_REDIRECT" | "NOT_FOUND_MARK" | "UNKNOWN_PATH" | "REPEATED_TEXT" | "NOSCRIPT_DEMAND" | "SAME_EVERYWHERE" | "NO_CONTENT" | "SCRIPTS_ONLY" | "WALL_WORDS" | "LOGIN_WORDS" | "CONSENT_WORDS" | "NOT_FOUND_WORDS" | "NOTICE_WORDS";
                /** @description What was found on the page. */
                evidence: string;
            }[];
        };
        ScrapeMetadata: {
            /** @description The requested URL. */
            url: string;
            /** @description The URL after redirects. */
            finalUrl: string;
            /** @description HTTP status of the target page. */
            statusCode: number;
            /** @description Milliseconds from the arrival of the request to its response. */
            duration: number;
            /**
             * Format: date-time
             * @description Time at which the page was scraped.
             */
            timestamp: string;
            /** @description Credits charged for the call. */
            credits: number;
            creditsBreakdown: {
                base: number;
                render?: number;
                screenshot?: number;
                proxy?: number;
                /** @description Present only when the page could not be fetched without it. */
                antiBot?: number;
                /** @description Tokens of the model of `extract`, at the price of the operator. */
                llm?: number;
            };
            /**
             * @description The engine of the successful attempt.
             * @enum {string}
             */
            engine: "http" | "browser";
            /** @description Every attempt at the page, oldest first; several with `antiBot`, or when proxies failed. */
            attempts: {
                /** @enum {string} */
                engine: "http" | "browser";
                /**
                 * @description The proxy, by its country and its place in the pool.
                 * @example us-2
                 */
                proxy?: string;
                statusCode?: number;
                /** @description `success`, or the error code that ended the attempt. */
                outcome: string;
                durationMs: number;
            }[];
            verdict?: components["schemas"]["Verdict"];
            /**
             * @description The version of the recipe whose options a scrape has used.
             * @example rec_01jd8x0000000000000000000@3
             */
            recipe?: string;
            /** @description The model that has found the fields of `extract`. */
            llm?: {
                /** @description Name of the model. */
                model: string;
                /** @description Tokens that the model has read; 0 if cached. */
                tokensIn: number;
                /** @description Tokens that the model has written; 0 if cached. */
                tokensOut: number;
                /** @description True if the answer to the same page, schema and prompt was used again, which is free. */
                cached: boolean;
                /** @description Evidence of each value by its path in `data`, such as `books.0.title`. */
                evidence: {
                    [key: string]: {
                        /** @description The part of the page that shows the value; null without one. */
                        quote: string | null;
                        /**
                         * @description Whether the value is a part of the quote, is what a conversion makes of it, or does not stand on the page.
                         * @enum {string}
                         */
                        status: "verbatim" | "converted" | "missing";
                    };
                };
            };
            /** @description The steps of `actions`, in order. */
            actions?: {
                /** @description Position of the step in `actions`, from 0. */
                index: number;
                durationMs: number;
                /** @description Of `repeat`: how often its steps were done. */
                rounds?: number;
                /** @description The URL of the page after the step, if it led to another one. */
                url?: string;
                /**
                 * @description A step with `optional` is skipped where it cannot be done.
                 * @enum {string}
                 */
                outcome: "done" | "skipped";
            }[];
            /** @description Only with `maxAge`, of a page that was extracted again instead of fetched. */
            cache?: {
                /** @description Milliseconds since the page was fetched, when the request took it. */
                age: number;
            };
            /** @description The layers that were dismissed, if there were any. */
            overlays?: {
                /** @description The consent platform, by its name in the rules of autoconsent, such as `Onetrust`; `unknown` for a layer that was found by its looks. */
                cmp: string;
                /** @enum {string} */
                action: "hide" | "accept" | "reject";
            }[];
        };
        StoredFile: {
            /**
             * @description For `GET /v1/files/{id}`.
             * @example fil_01jd8x0000000000000000000
             */
            id: string;
            /**
             * @description Name that the site gave it, or the end of its URL, without folders and what is not safe in a name.
             * @example prices.csv
             */
            name: string;
            /**
             * @description As the site sent it; `application/octet-stream` without one.
             * @example text/csv; charset=utf-8
             */
            contentType: string;
            /** @description Bytes. */
            size: number;
            /** @description SHA-256 of the bytes, in hexadecimal. */
            sha256: string;
        };
        ScrapeResponse: {
            /** @constant */
            success: true;
            /** @description One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`. */
            data?: {
                [key: string]: unknown;
            };
            /** @description One entry per format of the request, by its name. */
            formats?: {
                /** @description The page as CommonMark with tables; links are absolute. */
                markdown?: string;
                /** @description The article of the page without navigation, comments and advertisements; null without one. */
                article?: {
                    title: string | null;
                    byline: string | null;
                    publishedAt: string | null;
                    language: string | null;
                    excerpt: string | null;
                    /** @description The text of the article, with its heading. */
                    markdown: string;
                } | null;
                /** @description What the page says of itself. A text is null, and a list empty, where the page names none. */
                metadata?: {
                    title: string | null;
                    description: string | null;
                    language: string | null;
                    author: string | null;
                    /** @description Number of pages; only of a PDF. */
                    pages?: number;
                    robots: string | null;
                    canonical: string | null;
                    feeds: {
                        url: string;
                        title: string | null;
                        type: string | null;
                    }[];
                    icons: {
                        url: string;
                        sizes: string | null;
                        type: string | null;
                    }[];
                    /** @description Values by property, such as `title` and `image`. */
                    openGraph: {
                        [key: string]: unknown;
                    };
                    /** @description Values by property, such as `card`. */
                    twitter: {
                        [key: string]: unknown;
                    };
                    /** @description The values of all JSON-LD scripts. */
                    jsonLd: unknown[];
                    microdata: {
                        type: string[];
                        id?: string;
                        /** @description Lists of texts and items, by property. */
                        properties: {
                            [key: string]: unknown;
                        };
                    }[];
                };
                /** @description The links of the page, absolute, each once. */
                links?: {
                    url: string;
                    text: string | null;
                    rel: string | null;
                }[];
                /** @description The images of the page, absolute, each once, in order of appearance. The URL is that of the largest file. `alt`, `width` and `height` are null where the page gives none. */
                images?: {
                    url: string;
                    alt: string | null;
                    width: number | null;
                    height: number | null;
                }[];
                /** @description The tables of data. `headers` is null for a table without a header. */
                tables?: {
                    caption: string | null;
                    headers: (string | null)[] | null;
                    rows: (string | null)[][];
                }[];
                /** @description The readable text, each block on its own line. */
                text?: string;
                /** @description The document as browsers serialize it. */
                html?: string;
            };
            /** @description Responses of `capture`, by its names, in the order in which their requests were made. */
            captured?: {
                [key: string]: {
                    /** @description URL of the response, after redirects. Values of parameters whose name suggests a credential are `[redacted]`. */
                    url: string;
                    /** @description Method of the request. */
                    method: string;
                    /** @description Status as the page sees it: 200 for one that the cache has answered after a 304. */
                    status: number;
                    /** @description As the response names it; empty if it does not. */
                    contentType: string;
                    /** @description The body, if it is JSON. */
                    json?: unknown;
                    /** @description The body, if it is another text. */
                    text?: string;
                    /** @description Any other body. */
                    base64?: string;
                    /** @description True if the body is not whole, or missing: it was too large, or had not ended when the page was read. */
                    truncated?: boolean;
                }[];
            };
            metadata: components["schemas"]["ScrapeMetadata"];
            /** @description Present when a field has no value or an uncertain one, when a page sent as XML was not well-formed, or when the page is not what was asked for. */
            warnings?: {
                /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                field?: string;
                /**
                 * @description Kind of the remark; more kinds may be added.
                 * @enum {string}
                 */
                code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                message: string;
                /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                characters?: number;
            }[];
            /** @description The image: PNG, unless `screenshot.format` names another format. */
            screenshot?: string;
            /** @description With `stepScreenshots`: the window after the steps of `actions`, 640 pixels wide. None of a document into which a secret was written. */
            stepScreenshots?: {
                /** @description Position of the step in `actions`, from 0. */
                index: number;
                /** @description A JPEG. */
                image: string;
            }[];
            /** @description The `X-Request-Id` of the response, for `/v1/scrapes/{requestId}/trace`. */
            requestId: string;
            /** @description The snapshot of the page, for `/v1/snapshots/{id}/…`; absent if it was too large to keep. */
            snapshotId?: string;
            file?: components["schemas"]["StoredFile"];
        };
        /** @description URL that receives the results, or `{url, events, metadata}`. */
        Webhook: string | {
            url: string;
            events?: ("job.started" | "job.pages" | "job.completed" | "job.partial" | "job.failed" | "job.cancelled" | "job.changed" | "dataset.changed" | "schedule.changed" | "schedule.drift" | "schedule.recovered" | "profile.expired" | "profile.failed")[];
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * @description Keeps the extracted records in a table of the account, which later jobs add to and change.
         * @example {
         *       "name": "books",
         *       "rows": "books",
         *       "key": [
         *         "isbn"
         *       ],
         *       "gone": "run"
         *     }
         */
        DatasetOptions: {
            name: string;
            /**
             * @description The list whose records are kept, by its dotted path. Without it, each page is one record of all its fields.
             * @example books
             */
            rows?: string;
            /**
             * @description The fields that tell records apart. Needed with `rows`; without both, records are told apart by the URL of their page.
             * @example [
             *       "isbn"
             *     ]
             */
            key?: string[];
            /**
             * @description `run`: once a run has completed with nothing but pages of content, records that it did not find are gone. For tables that one job or schedule writes as a whole. Default never.
             * @enum {string}
             */
            gone?: "never" | "run";
        };
        /**
         * @description Writes the results into files of an object store once the job is completed or partial: `part-00000.parquet` and so on, and last `_manifest.json`. The log of deliveries has the attempts.
         * @example {
         *       "name": "lake",
         *       "format": "parquet"
         *     }
         */
        SinkOptions: {
            /**
             * @description One of the sinks that the operator has configured (`SINKS`).
             * @example lake
             */
            name: string;
            /**
             * @description Format of the files. Default parquet.
             * @enum {string}
             */
            format?: "parquet" | "ndjson" | "csv";
            /**
             * @description For parquet and csv: a field with several values, by its dotted path. Each of its entries becomes a row. Without it, each page is a row, and lists are JSON.
             * @example books
             */
            rows?: string;
            /**
             * @description Folder of the files. `{job}`, which it needs, is the id of the job, `{schedule}` that of its schedule or `jobs`, and `{date}` the day in UTC on which the job was created. Default {schedule}/{date}/{job}.
             * @example books/date={date}/{job}
             */
            key?: string;
            /** @description Size from which a file ends and the next one begins. Default 134217728 (128 MiB). */
            partBytes?: number;
        };
        CreateJobRequest: {
            /** @description Default "Untitled job". */
            name?: string;
            /**
             * @description The pages: absolute http or https URLs. Either `urls` or `requests`.
             * @example [
             *       "https://example.com/",
             *       "https://example.org/"
             *     ]
             */
            urls?: string[];
            /**
             * @description The pages with a method and a body for each, instead of `urls`. Requests are equal if URL, method and body are; equal ones are sent once.
             * @example [
             *       {
             *         "url": "https://example.com/search",
             *         "json": {
             *           "query": "kettle"
             *         }
             *       }
             *     ]
             */
            requests?: {
                /** @description An absolute http or https URL. */
                url: string;
                /**
                 * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
                 * @enum {string}
                 */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
                body?: string;
                /**
                 * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
                 * @example {
                 *       "query": "kettle",
                 *       "page": 1
                 *     }
                 */
                json?: unknown;
                /**
                 * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
                 * @example {
                 *       "q": "kettle",
                 *       "category": [
                 *         "kitchen",
                 *         "outdoor"
                 *       ]
                 *     }
                 */
                form?: {
                    [key: string]: string | number | boolean | (string | number | boolean)[];
                };
            }[];
            /**
             * @description Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once.
             * @example {
             *       "limit": 200,
             *       "include": [
             *         "/books/**"
             *       ],
             *       "rules": [
             *         {
             *           "match": "/books/*",
             *           "follow": false
             *         }
             *       ]
             *     }
             */
            crawl?: {
                /**
                 * @description Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum.
                 * @example 500
                 */
                limit?: number;
                /** @description Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10. */
                maxDepth?: number;
                /**
                 * @description Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.
                 * @enum {string}
                 */
                scope?: "path" | "host" | "domain" | "any";
                /** @description Most hosts of a crawl whose scope is `any` or `domain`. Default 100. */
                maxHosts?: number;
                /**
                 * @description Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.
                 * @example [
                 *       "/books/**"
                 *     ]
                 */
                include?: (string | {
                    regex: string;
                })[];
                /**
                 * @description URLs that match one of these are not crawled, whatever `include` says.
                 * @example [
                 *       "**?*add-to-cart=*"
                 *     ]
                 */
                exclude?: (string | {
                    regex: string;
                })[];
                /** @description The first rule whose `match` fits the URL of a page holds for it. */
                rules?: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    match: string | {
                        regex: string;
                    };
                    /**
                     * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                     * @example {
                     *       "title": "h1",
                     *       "prices": ".price::text::all"
                     *     }
                     */
                    selectors?: {
                        [key: string]: components["schemas"]["Selector"];
                    };
                    /**
                     * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                     * @example [
                     *       "markdown",
                     *       "metadata"
                     *     ]
                     * @example [
                     *       {
                     *         "type": "markdown",
                     *         "main": true
                     *       },
                     *       "metadata"
                     *     ]
                     */
                    formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                        /**
                         * @description Name of the format.
                         * @enum {string}
                         */
                        type: "markdown" | "links" | "images" | "text" | "html";
                        /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                        main?: boolean;
                        /**
                         * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                         * @example main, .post
                         */
                        include?: string;
                        /**
                         * @description CSS selector list of elements to leave out, whatever else says.
                         * @example .ads, .share
                         */
                        exclude?: string;
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    } | {
                        /** @constant */
                        type: "article";
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    })[];
                    /**
                     * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                     * @example [
                     *       {
                     *         "fill": "#q",
                     *         "value": "kettle"
                     *       },
                     *       {
                     *         "press": "Enter"
                     *       },
                     *       {
                     *         "waitFor": ".results"
                     *       }
                     *     ]
                     * @example [
                     *       {
                     *         "repeat": [
                     *           {
                     *             "click": "a.more"
                     *           }
                     *         ],
                     *         "times": 20
                     *       }
                     *     ]
                     */
                    actions?: components["schemas"]["Action"][];
                    /**
                     * @description Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true.
                     * @example [
                     *       ".card a",
                     *       "nav.categories"
                     *     ]
                     */
                    follow?: boolean | string[];
                    /**
                     * @description CSS selector of the link to the next page of a list, which is as deep as the page itself.
                     * @example a.next
                     */
                    next?: string;
                    /** @description `false`: the page is fetched and charged for its links, and has no result. Default true. */
                    keep?: boolean;
                }[];
                /**
                 * @description Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.
                 * @example [
                 *       "sort",
                 *       "view_*"
                 *     ]
                 */
                ignoreQuery?: boolean | string[];
                /**
                 * @description Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.
                 * @enum {string}
                 */
                sitemap?: "skip" | "include" | "only";
                /**
                 * @description Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.
                 * @enum {string}
                 */
                robots?: "obey" | "ignore";
                /** @description Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0. */
                delay?: number;
                /** @description Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4. */
                concurrency?: number;
                /** @description Ends the crawl before it costs more. Running pages count with the most they may cost. */
                maxCredits?: number;
                /** @description Milliseconds after which no further page is started. */
                maxDuration?: number;
                /** @description Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names. */
                maxPerPattern?: number;
                /**
                 * @description Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs.
                 * @example job_01jd8x0000000000000000000
                 */
                since?: string;
                /** @description Compares each run with the run before, as `since` does. Only in schedules. Default false. */
                changes?: boolean;
            };
            /**
             * @description A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options.
             * @example auto
             */
            recipe?: string;
            /**
             * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
             * @example {
             *       "title": "h1",
             *       "prices": ".price::text::all"
             *     }
             */
            selectors?: {
                [key: string]: components["schemas"]["Selector"];
            };
            /**
             * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
             * @example [
             *       "markdown",
             *       "metadata"
             *     ]
             * @example [
             *       {
             *         "type": "markdown",
             *         "main": true
             *       },
             *       "metadata"
             *     ]
             */
            formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                /**
                 * @description Name of the format.
                 * @enum {string}
                 */
                type: "markdown" | "links" | "images" | "text" | "html";
                /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                main?: boolean;
                /**
                 * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                 * @example main, .post
                 */
                include?: string;
                /**
                 * @description CSS selector list of elements to leave out, whatever else says.
                 * @example .ads, .share
                 */
                exclude?: string;
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            } | {
                /** @constant */
                type: "article";
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            })[];
            /**
             * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
             * @example {
             *       "schema": {
             *         "type": "object",
             *         "properties": {
             *           "title": {
             *             "type": "string"
             *           },
             *           "price": {
             *             "type": "number"
             *           }
             *         }
             *       }
             *     }
             */
            extract?: {
                /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                schema: {
                    [key: string]: unknown;
                };
                /** @description What the model is told besides the schema. */
                prompt?: string;
                /**
                 * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                 * @enum {string}
                 */
                evidence?: "required" | "report";
                /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                maxCredits?: number;
            };
            /**
             * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
             * @example de
             */
            locale?: string;
            /**
             * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
            body?: string;
            /**
             * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
             * @example {
             *       "query": "kettle",
             *       "page": 1
             *     }
             */
            json?: unknown;
            /**
             * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
             * @example {
             *       "q": "kettle",
             *       "category": [
             *         "kitchen",
             *         "outdoor"
             *       ]
             *     }
             */
            form?: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            /** @description Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false. */
            repeatable?: boolean;
            /**
             * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
             * @enum {unknown}
             */
            render?: true | false | "auto";
            /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
            antiBot?: boolean;
            /**
             * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
             * @example us
             */
            proxy?: string;
            /**
             * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
             * @example [
             *       {
             *         "fill": "#q",
             *         "value": "kettle"
             *       },
             *       {
             *         "press": "Enter"
             *       },
             *       {
             *         "waitFor": ".results"
             *       }
             *     ]
             * @example [
             *       {
             *         "repeat": [
             *           {
             *             "click": "a.more"
             *           }
             *         ],
             *         "times": 20
             *       }
             *     ]
             */
            actions?: components["schemas"]["Action"][];
            /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
            waitFor?: string | number;
            /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
            screenshot?: boolean | {
                /** @description The whole page, however long, or only what the window shows first. Default true. */
                fullPage?: boolean;
                /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                selector?: string;
                /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                viewport?: {
                    width: number;
                    height: number;
                    /** @description Pixels of the image for each CSS pixel. Default 1. */
                    scale?: number;
                };
                /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                mobile?: boolean;
                /**
                 * @description Default png.
                 * @enum {string}
                 */
                format?: "png" | "jpeg" | "webp";
                /** @description Of a JPEG or WebP image. Default 80. */
                quality?: number;
            };
            /**
             * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
             * @enum {string}
             */
            overlays?: "keep" | "hide" | "accept" | "reject";
            /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
            frames?: boolean;
            /**
             * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
             * @example {
             *       "offers": {
             *         "url": "**\/api/offers*",
             *         "wait": 1
             *       }
             *     }
             */
            capture?: {
                [key: string]: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    url: string | {
                        regex: string;
                    };
                    /**
                     * @description Only requests with this method. Default: any.
                     * @enum {string}
                     */
                    method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                    types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                    /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                    wait?: number;
                    /** @description Number of responses that are kept, the first ones. Default 20. */
                    limit?: number;
                };
            };
            /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
            pdf?: {
                /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                maxPages?: number;
            };
            /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
            download?: boolean;
            /**
             * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
             * @enum {string}
             */
            onSuspect?: "keep" | "fail";
            /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
            snapshot?: boolean;
            /**
             * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
             * @example 3600000
             */
            maxAge?: number;
            /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
            freshContext?: boolean;
            /** @description Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs. */
            cookies?: components["schemas"]["Cookie"][];
            /**
             * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
             * @example {
             *       "Accept-Language": "de"
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
             * @example prof_01jd8x0000000000000000000
             */
            profile?: string | {
                id: string;
                /** @description Store what the page leaves in the session. Default true. */
                save?: boolean;
            };
            /** @description The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead. */
            maxCredits?: number;
            /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
            timeout?: number;
            dataset?: components["schemas"]["DatasetOptions"];
            sink?: components["schemas"]["SinkOptions"];
            webhook?: components["schemas"]["Webhook"];
        } & ({
            urls: unknown;
        } | {
            requests: unknown;
        });
        Change: {
            /** @description The page that has it; of what was removed, the page that had it. */
            url: string;
            /** @description Dotted name of the field, with the record of a list in brackets by its key: `books[Emma].price`. Empty for everything that a page has. */
            path: string;
            /** @enum {string} */
            kind: "added" | "removed" | "changed";
            /** @description Absent when it was added. */
            before?: unknown;
            /** @description Absent when it was removed. */
            after?: unknown;
            /**
             * @description A value is long: the part around the first difference is shown.
             * @constant
             */
            isCut?: true;
        };
        Job: {
            /** @example job_01jd8x0000000000000000000 */
            id: string;
            name: string;
            /**
             * @description Hosts of its URLs, of a crawl those of its start URLs; the first five.
             * @example [
             *       "shop.example"
             *     ]
             */
            hosts?: string[];
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "partial" | "failed" | "cancelled";
            /** @description URLs of the job; of a crawl, those known so far. */
            totalUrls: number;
            /** @description URLs processed so far, failed ones included. */
            completedUrls: number;
            /** @description URLs that failed. */
            failedUrls: number;
            creditsUsed: number;
            /**
             * @description Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs.
             * @example {
             *       "content": 940,
             *       "login": 60
             *     }
             */
            verdicts?: {
                content?: number;
                wall?: number;
                login?: number;
                consent?: number;
                notFound?: number;
                shell?: number;
                empty?: number;
                notice?: number;
            };
            crawl?: {
                /** @description Pages that were fetched, failed ones included. */
                fetched: number;
                /** @description Pages with a result, failed ones included: the fetched ones but those that were only followed. */
                results: number;
                /** @description Pages that are known and wait. */
                waiting: number;
                /** @description Pages on a scraper. */
                running: number;
                /** @description The greatest depth of a page that was fetched. */
                depth: number;
                /** @description Hosts of the crawl. */
                hosts: number;
                /** @description Of the fetched ones, linked pages that answered 404 or 410; they do not count as failed. */
                notFound: number;
                /** @description Pages without a result and without a charge, by reason. */
                skipped: {
                    /** @description robots.txt disallows them. */
                    robots: number;
                    /** @description A limit of the crawl was reached before; see `stoppedBy`. */
                    limit: number;
                    /** @description They redirect to another URL, which is crawled if it is in scope. */
                    redirect: number;
                    /** @description They are images, archives or other files without text. */
                    notDocument: number;
                    /** @description They have the text of the page that they name as their canonical one. */
                    duplicate: number;
                    /** @description Most pages with URLs like theirs had known texts; a warning names the pattern. */
                    trap: number;
                };
                /** @description Links that were not followed, by reason, each occurrence. */
                dropped: {
                    /** @description Links that leave the scope. */
                    outOfScope: number;
                    /** @description Links that `include` and `exclude` leave out. */
                    excluded: number;
                    /** @description Links deeper than `maxDepth`. */
                    depth: number;
                    /** @description Links that the page asks not to follow. */
                    nofollow: number;
                    /** @description Links that look endless: too long, with repeating parts, or of a pattern that a warning names. */
                    trap: number;
                    /** @description Links beyond what a crawl of this `limit` remembers. */
                    frontierFull: number;
                };
                /**
                 * @description The limit that ended the crawl before all known pages were fetched.
                 * @enum {string}
                 */
                stoppedBy?: "limit" | "credits" | "duration";
                /** @description The crawl that pages are compared with, if there is one. */
                since?: string;
                changes?: {
                    /** @description Pages that the crawl before did not have. */
                    new: number;
                    /** @description Pages with other content. */
                    changed: number;
                    /** @description Pages with the same content. */
                    unchanged: number;
                    /** @description Pages that answer 404 or 410 now. */
                    gone: number;
                    /** @description Of the changed and unchanged ones, pages that still answer, but that no link or sitemap leads to any more. */
                    unlinked: number;
                };
                warnings?: {
                    /** @enum {string} */
                    code: "ROBOTS_UNREACHABLE" | "CRAWL_DELAY_CAPPED" | "SITEMAP_NOT_READ" | "SITEMAP_TRUNCATED" | "LINKS_TRUNCATED" | "TOO_MANY_HOSTS" | "FRONTIER_FULL" | "ENDLESS_LINKS" | "PATTERN_FULL" | "PATTERN_CLOSED" | "PATTERN_UNMATCHED";
                    message: string;
                }[];
            };
            changes?: {
                /** @description Records that no earlier run had. */
                added: number;
                /** @description Records that are no longer there. */
                removed: number;
                /** @description Records with other values. */
                changed: number;
            };
            /** @description Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT). */
            warnings?: {
                /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                field?: string;
                /**
                 * @description Kind of the remark; more kinds may be added.
                 * @enum {string}
                 */
                code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                message: string;
                /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                characters?: number;
            }[];
            /** @description The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed. */
            dataset?: {
                name: string;
                /** @description Revision before the first change of the job. */
                from?: number;
                /** @description Revision when the job finished. */
                to?: number;
            };
            sink?: components["schemas"]["SinkOptions"];
            /** @description The schedule that started this job. */
            scheduleId?: string;
            /** @description The job that this one scrapes again. */
            rerunOf?: string;
            /** @description The job whose snapshots this one extracts from, without fetching the pages. */
            extractOf?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /**
             * Format: date-time
             * @description Time at which the job finished: its state and its counters do not change any more.
             */
            completedAt?: string;
        };
        PageSuccess: {
            /** @description As given in the request. */
            url: string;
            /** @description Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`. */
            request?: {
                /**
                 * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
                 * @enum {string}
                 */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
                body?: string;
                /**
                 * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
                 * @example {
                 *       "query": "kettle",
                 *       "page": 1
                 *     }
                 */
                json?: unknown;
                /**
                 * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
                 * @example {
                 *       "q": "kettle",
                 *       "category": [
                 *         "kitchen",
                 *         "outdoor"
                 *       ]
                 *     }
                 */
                form?: {
                    [key: string]: string | number | boolean | (string | number | boolean)[];
                };
            };
            /** @description Index in `urls` of the earlier entry with the same URL, which was fetched for both and is charged once. The rest of the result is the same. */
            duplicateOf?: number;
            /** @description Number of links from a start URL. Only in crawls. */
            depth?: number;
            /** @description URL of the page or sitemap that the page was first found on. Only in crawls. */
            foundOn?: string;
            /** @description Index of the rule in `crawl.rules` that held for the page. */
            rule?: number;
            /** @description URL that the page itself names as its canonical one. Only in crawls. */
            canonicalUrl?: string;
            /**
             * @description Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`).
             * @enum {string}
             */
            change?: "new" | "changed" | "unchanged" | "gone";
            /**
             * @description No link or sitemap leads to the page any more; the crawl before had it.
             * @constant
             */
            unlinked?: true;
            /** @description One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`. */
            data?: {
                [key: string]: unknown;
            };
            /** @description One entry per format of the request, by its name. */
            formats?: {
                /** @description The page as CommonMark with tables; links are absolute. */
                markdown?: string;
                /** @description The article of the page without navigation, comments and advertisements; null without one. */
                article?: {
                    title: string | null;
                    byline: string | null;
                    publishedAt: string | null;
                    language: string | null;
                    excerpt: string | null;
                    /** @description The text of the article, with its heading. */
                    markdown: string;
                } | null;
                /** @description What the page says of itself. A text is null, and a list empty, where the page names none. */
                metadata?: {
                    title: string | null;
                    description: string | null;
                    language: string | null;
                    author: string | null;
                    /** @description Number of pages; only of a PDF. */
                    pages?: number;
                    robots: string | null;
                    canonical: string | null;
                    feeds: {
                        url: string;
                        title: string | null;
                        type: string | null;
                    }[];
                    icons: {
                        url: string;
                        sizes: string | null;
                        type: string | null;
                    }[];
                    /** @description Values by property, such as `title` and `image`. */
                    openGraph: {
                        [key: string]: unknown;
                    };
                    /** @description Values by property, such as `card`. */
                    twitter: {
                        [key: string]: unknown;
                    };
                    /** @description The values of all JSON-LD scripts. */
                    jsonLd: unknown[];
                    microdata: {
                        type: string[];
                        id?: string;
                        /** @description Lists of texts and items, by property. */
                        properties: {
                            [key: string]: unknown;
                        };
                    }[];
                };
                /** @description The links of the page, absolute, each once. */
                links?: {
                    url: string;
                    text: string | null;
                    rel: string | null;
                }[];
                /** @description The images of the page, absolute, each once, in order of appearance. The URL is that of the largest file. `alt`, `width` and `height` are null where the page gives none. */
                images?: {
                    url: string;
                    alt: string | null;
                    width: number | null;
                    height: number | null;
                }[];
                /** @description The tables of data. `headers` is null for a table without a header. */
                tables?: {
                    caption: string | null;
                    headers: (string | null)[] | null;
                    rows: (string | null)[][];
                }[];
                /** @description The readable text, each block on its own line. */
                text?: string;
                /** @description The document as browsers serialize it. */
                html?: string;
            };
            /** @description Responses of `capture`, by its names, in the order in which their requests were made. */
            captured?: {
                [key: string]: {
                    /** @description URL of the response, after redirects. Values of parameters whose name suggests a credential are `[redacted]`. */
                    url: string;
                    /** @description Method of the request. */
                    method: string;
                    /** @description Status as the page sees it: 200 for one that the cache has answered after a 304. */
                    status: number;
                    /** @description As the response names it; empty if it does not. */
                    contentType: string;
                    /** @description The body, if it is JSON. */
                    json?: unknown;
                    /** @description The body, if it is another text. */
                    text?: string;
                    /** @description Any other body. */
                    base64?: string;
                    /** @description True if the body is not whole, or missing: it was too large, or had not ended when the page was read. */
                    truncated?: boolean;
                }[];
            };
            metadata: components["schemas"]["ScrapeMetadata"];
            warnings?: {
                /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                field?: string;
                /**
                 * @description Kind of the remark; more kinds may be added.
                 * @enum {string}
                 */
                code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                message: string;
                /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                characters?: number;
            }[];
            /**
             * @description Path of the screenshot, which needs the API key. Present when one was requested.
             * @example /v1/jobs/job_01jd8x0000000000000000000/results/0/screenshot
             */
            screenshotUrl?: string;
            /** @description The snapshot of the page, when `snapshot` was requested. */
            snapshotId?: string;
            file?: components["schemas"]["StoredFile"];
        };
        PageFailure: {
            /** @description As given in the request. */
            url: string;
            /** @description Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`. */
            request?: {
                /**
                 * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
                 * @enum {string}
                 */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
                body?: string;
                /**
                 * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
                 * @example {
                 *       "query": "kettle",
                 *       "page": 1
                 *     }
                 */
                json?: unknown;
                /**
                 * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
                 * @example {
                 *       "q": "kettle",
                 *       "category": [
                 *         "kitchen",
                 *         "outdoor"
                 *       ]
                 *     }
                 */
                form?: {
                    [key: string]: string | number | boolean | (string | number | boolean)[];
                };
            };
            /** @description Index in `urls` of the earlier entry with the same URL, which was fetched for both and is charged once. The rest of the result is the same. */
            duplicateOf?: number;
            /** @description Number of links from a start URL. Only in crawls. */
            depth?: number;
            /** @description URL of the page or sitemap that the page was first found on. Only in crawls. */
            foundOn?: string;
            /** @description Index of the rule in `crawl.rules` that held for the page. */
            rule?: number;
            /** @description URL that the page itself names as its canonical one. Only in crawls. */
            canonicalUrl?: string;
            /**
             * @description Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`).
             * @enum {string}
             */
            change?: "new" | "changed" | "unchanged" | "gone";
            /**
             * @description No link or sitemap leads to the page any more; the crawl before had it.
             * @constant
             */
            unlinked?: true;
            data: null;
            error: {
                /** @enum {string} */
                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                message: string;
                suggestion: string;
                /** @enum {string} */
                source: "api" | "target";
                details?: {
                    path: string;
                    message: string;
                }[];
                retryAfterSeconds?: number;
                /** @description HTTP status that the target answered with, if it answered. */
                targetStatusCode?: number;
                /** @description Attempts at the target page, oldest first. */
                attempts?: {
                    /** @enum {string} */
                    engine: "http" | "browser";
                    /**
                     * @description The proxy, by its country and its place in the pool.
                     * @example us-2
                     */
                    proxy?: string;
                    statusCode?: number;
                    /** @description `success`, or the error code that ended the attempt. */
                    outcome: string;
                    durationMs: number;
                }[];
                /**
                 * @description Kind of the page that was read, if the error is about its content; see `metadata.verdict`.
                 * @enum {string}
                 */
                verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            };
            /** @description Number of attempts at the page. */
            attempts: number;
        };
        /** @description A failed URL has `data: null` and an `error`; a scraped one has `metadata`, with `data`, `formats` or both, or a `file`, never `error`. */
        PageResult: components["schemas"]["PageSuccess"] | components["schemas"]["PageFailure"];
        JobWithResults: {
            /** @example job_01jd8x0000000000000000000 */
            id: string;
            name: string;
            /**
             * @description Hosts of its URLs, of a crawl those of its start URLs; the first five.
             * @example [
             *       "shop.example"
             *     ]
             */
            hosts?: string[];
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "partial" | "failed" | "cancelled";
            /** @description URLs of the job; of a crawl, those known so far. */
            totalUrls: number;
            /** @description URLs processed so far, failed ones included. */
            completedUrls: number;
            /** @description URLs that failed. */
            failedUrls: number;
            creditsUsed: number;
            /**
             * @description Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs.
             * @example {
             *       "content": 940,
             *       "login": 60
             *     }
             */
            verdicts?: {
                content?: number;
                wall?: number;
                login?: number;
                consent?: number;
                notFound?: number;
                shell?: number;
                empty?: number;
                notice?: number;
            };
            crawl?: {
                /** @description Pages that were fetched, failed ones included. */
                fetched: number;
                /** @description Pages with a result, failed ones included: the fetched ones but those that were only followed. */
                results: number;
                /** @description Pages that are known and wait. */
                waiting: number;
                /** @description Pages on a scraper. */
                running: number;
                /** @description The greatest depth of a page that was fetched. */
                depth: number;
                /** @description Hosts of the crawl. */
                hosts: number;
                /** @description Of the fetched ones, linked pages that answered 404 or 410; they do not count as failed. */
                notFound: number;
                /** @description Pages without a result and without a charge, by reason. */
                skipped: {
                    /** @description robots.txt disallows them. */
                    robots: number;
                    /** @description A limit of the crawl was reached before; see `stoppedBy`. */
                    limit: number;
                    /** @description They redirect to another URL, which is crawled if it is in scope. */
                    redirect: number;
                    /** @description They are images, archives or other files without text. */
                    notDocument: number;
                    /** @description They have the text of the page that they name as their canonical one. */
                    duplicate: number;
                    /** @description Most pages with URLs like theirs had known texts; a warning names the pattern. */
                    trap: number;
                };
                /** @description Links that were not followed, by reason, each occurrence. */
                dropped: {
                    /** @description Links that leave the scope. */
                    outOfScope: number;
                    /** @description Links that `include` and `exclude` leave out. */
                    excluded: number;
                    /** @description Links deeper than `maxDepth`. */
                    depth: number;
                    /** @description Links that the page asks not to follow. */
                    nofollow: number;
                    /** @description Links that look endless: too long, with repeating parts, or of a pattern that a warning names. */
                    trap: number;
                    /** @description Links beyond what a crawl of this `limit` remembers. */
                    frontierFull: number;
                };
                /**
                 * @description The limit that ended the crawl before all known pages were fetched.
                 * @enum {string}
                 */
                stoppedBy?: "limit" | "credits" | "duration";
                /** @description The crawl that pages are compared with, if there is one. */
                since?: string;
                changes?: {
                    /** @description Pages that the crawl before did not have. */
                    new: number;
                    /** @description Pages with other content. */
                    changed: number;
                    /** @description Pages with the same content. */
                    unchanged: number;
                    /** @description Pages that answer 404 or 410 now. */
                    gone: number;
                    /** @description Of the changed and unchanged ones, pages that still answer, but that no link or sitemap leads to any more. */
                    unlinked: number;
                };
                warnings?: {
                    /** @enum {string} */
                    code: "ROBOTS_UNREACHABLE" | "CRAWL_DELAY_CAPPED" | "SITEMAP_NOT_READ" | "SITEMAP_TRUNCATED" | "LINKS_TRUNCATED" | "TOO_MANY_HOSTS" | "FRONTIER_FULL" | "ENDLESS_LINKS" | "PATTERN_FULL" | "PATTERN_CLOSED" | "PATTERN_UNMATCHED";
                    message: string;
                }[];
            };
            changes?: {
                /** @description Records that no earlier run had. */
                added: number;
                /** @description Records that are no longer there. */
                removed: number;
                /** @description Records with other values. */
                changed: number;
            };
            /** @description Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT). */
            warnings?: {
                /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                field?: string;
                /**
                 * @description Kind of the remark; more kinds may be added.
                 * @enum {string}
                 */
                code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                message: string;
                /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                characters?: number;
            }[];
            /** @description The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed. */
            dataset?: {
                name: string;
                /** @description Revision before the first change of the job. */
                from?: number;
                /** @description Revision when the job finished. */
                to?: number;
            };
            sink?: components["schemas"]["SinkOptions"];
            /** @description The schedule that started this job. */
            scheduleId?: string;
            /** @description The job that this one scrapes again. */
            rerunOf?: string;
            /** @description The job whose snapshots this one extracts from, without fetching the pages. */
            extractOf?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /**
             * Format: date-time
             * @description Time at which the job finished: its state and its counters do not change any more.
             */
            completedAt?: string;
            /** @description The options as they were given. The values of cookies, and of headers and fields of `json` and `form` whose name suggests a credential (such as `Authorization`, `X-Api-Key`, `password`), are shown as `[redacted]`, and so is a `body` with such a word in it. */
            options: {
                /**
                 * @description A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options.
                 * @example auto
                 */
                recipe?: string;
                /**
                 * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                 * @example {
                 *       "title": "h1",
                 *       "prices": ".price::text::all"
                 *     }
                 */
                selectors?: {
                    [key: string]: components["schemas"]["Selector"];
                };
                /**
                 * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                 * @example [
                 *       "markdown",
                 *       "metadata"
                 *     ]
                 * @example [
                 *       {
                 *         "type": "markdown",
                 *         "main": true
                 *       },
                 *       "metadata"
                 *     ]
                 */
                formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                    /**
                     * @description Name of the format.
                     * @enum {string}
                     */
                    type: "markdown" | "links" | "images" | "text" | "html";
                    /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                    main?: boolean;
                    /**
                     * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                     * @example main, .post
                     */
                    include?: string;
                    /**
                     * @description CSS selector list of elements to leave out, whatever else says.
                     * @example .ads, .share
                     */
                    exclude?: string;
                    /**
                     * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                     * @enum {string}
                     */
                    hidden?: "keep" | "drop" | "mark";
                } | {
                    /** @constant */
                    type: "article";
                    /**
                     * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                     * @enum {string}
                     */
                    hidden?: "keep" | "drop" | "mark";
                })[];
                /**
                 * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
                 * @example {
                 *       "schema": {
                 *         "type": "object",
                 *         "properties": {
                 *           "title": {
                 *             "type": "string"
                 *           },
                 *           "price": {
                 *             "type": "number"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                extract?: {
                    /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                    schema: {
                        [key: string]: unknown;
                    };
                    /** @description What the model is told besides the schema. */
                    prompt?: string;
                    /**
                     * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                     * @enum {string}
                     */
                    evidence?: "required" | "report";
                    /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                    maxCredits?: number;
                };
                /**
                 * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                 * @example de
                 */
                locale?: string;
                /**
                 * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
                 * @enum {string}
                 */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
                body?: string;
                /**
                 * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
                 * @example {
                 *       "query": "kettle",
                 *       "page": 1
                 *     }
                 */
                json?: unknown;
                /**
                 * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
                 * @example {
                 *       "q": "kettle",
                 *       "category": [
                 *         "kitchen",
                 *         "outdoor"
                 *       ]
                 *     }
                 */
                form?: {
                    [key: string]: string | number | boolean | (string | number | boolean)[];
                };
                /** @description Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false. */
                repeatable?: boolean;
                /**
                 * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
                 * @enum {unknown}
                 */
                render?: true | false | "auto";
                /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
                antiBot?: boolean;
                /**
                 * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
                 * @example us
                 */
                proxy?: string;
                /**
                 * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                 * @example [
                 *       {
                 *         "fill": "#q",
                 *         "value": "kettle"
                 *       },
                 *       {
                 *         "press": "Enter"
                 *       },
                 *       {
                 *         "waitFor": ".results"
                 *       }
                 *     ]
                 * @example [
                 *       {
                 *         "repeat": [
                 *           {
                 *             "click": "a.more"
                 *           }
                 *         ],
                 *         "times": 20
                 *       }
                 *     ]
                 */
                actions?: components["schemas"]["Action"][];
                /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
                waitFor?: string | number;
                /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
                screenshot?: boolean | {
                    /** @description The whole page, however long, or only what the window shows first. Default true. */
                    fullPage?: boolean;
                    /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                    selector?: string;
                    /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                    viewport?: {
                        width: number;
                        height: number;
                        /** @description Pixels of the image for each CSS pixel. Default 1. */
                        scale?: number;
                    };
                    /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                    mobile?: boolean;
                    /**
                     * @description Default png.
                     * @enum {string}
                     */
                    format?: "png" | "jpeg" | "webp";
                    /** @description Of a JPEG or WebP image. Default 80. */
                    quality?: number;
                };
                /**
                 * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
                 * @enum {string}
                 */
                overlays?: "keep" | "hide" | "accept" | "reject";
                /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
                frames?: boolean;
                /**
                 * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
                 * @example {
                 *       "offers": {
                 *         "url": "**\/api/offers*",
                 *         "wait": 1
                 *       }
                 *     }
                 */
                capture?: {
                    [key: string]: {
                        /**
                         * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                         * @example /books/**
                         * @example {
                         *       "regex": "/p/[0-9]+$"
                         *     }
                         */
                        url: string | {
                            regex: string;
                        };
                        /**
                         * @description Only requests with this method. Default: any.
                         * @enum {string}
                         */
                        method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                        types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                        /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                        wait?: number;
                        /** @description Number of responses that are kept, the first ones. Default 20. */
                        limit?: number;
                    };
                };
                /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
                pdf?: {
                    /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                    maxPages?: number;
                };
                /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
                download?: boolean;
                /**
                 * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
                 * @enum {string}
                 */
                onSuspect?: "keep" | "fail";
                /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
                snapshot?: boolean;
                /**
                 * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
                 * @example 3600000
                 */
                maxAge?: number;
                /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
                freshContext?: boolean;
                /** @description Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs. */
                cookies?: components["schemas"]["Cookie"][];
                /**
                 * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
                 * @example {
                 *       "Accept-Language": "de"
                 *     }
                 */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
                 * @example prof_01jd8x0000000000000000000
                 */
                profile?: string | {
                    id: string;
                    /** @description Store what the page leaves in the session. Default true. */
                    save?: boolean;
                };
                /** @description The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead. */
                maxCredits?: number;
                /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
                timeout?: number;
                /**
                 * @description Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once.
                 * @example {
                 *       "limit": 200,
                 *       "include": [
                 *         "/books/**"
                 *       ],
                 *       "rules": [
                 *         {
                 *           "match": "/books/*",
                 *           "follow": false
                 *         }
                 *       ]
                 *     }
                 */
                crawl?: {
                    /**
                     * @description Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum.
                     * @example 500
                     */
                    limit?: number;
                    /** @description Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10. */
                    maxDepth?: number;
                    /**
                     * @description Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.
                     * @enum {string}
                     */
                    scope?: "path" | "host" | "domain" | "any";
                    /** @description Most hosts of a crawl whose scope is `any` or `domain`. Default 100. */
                    maxHosts?: number;
                    /**
                     * @description Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.
                     * @example [
                     *       "/books/**"
                     *     ]
                     */
                    include?: (string | {
                        regex: string;
                    })[];
                    /**
                     * @description URLs that match one of these are not crawled, whatever `include` says.
                     * @example [
                     *       "**?*add-to-cart=*"
                     *     ]
                     */
                    exclude?: (string | {
                        regex: string;
                    })[];
                    /** @description The first rule whose `match` fits the URL of a page holds for it. */
                    rules?: {
                        /**
                         * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                         * @example /books/**
                         * @example {
                         *       "regex": "/p/[0-9]+$"
                         *     }
                         */
                        match: string | {
                            regex: string;
                        };
                        /**
                         * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                         * @example {
                         *       "title": "h1",
                         *       "prices": ".price::text::all"
                         *     }
                         */
                        selectors?: {
                            [key: string]: components["schemas"]["Selector"];
                        };
                        /**
                         * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                         * @example [
                         *       "markdown",
                         *       "metadata"
                         *     ]
                         * @example [
                         *       {
                         *         "type": "markdown",
                         *         "main": true
                         *       },
                         *       "metadata"
                         *     ]
                         */
                        formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                            /**
                             * @description Name of the format.
                             * @enum {string}
                             */
                            type: "markdown" | "links" | "images" | "text" | "html";
                            /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                            main?: boolean;
                            /**
                             * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                             * @example main, .post
                             */
                            include?: string;
                            /**
                             * @description CSS selector list of elements to leave out, whatever else says.
                             * @example .ads, .share
                             */
                            exclude?: string;
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        } | {
                            /** @constant */
                            type: "article";
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        })[];
                        /**
                         * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                         * @example [
                         *       {
                         *         "fill": "#q",
                         *         "value": "kettle"
                         *       },
                         *       {
                         *         "press": "Enter"
                         *       },
                         *       {
                         *         "waitFor": ".results"
                         *       }
                         *     ]
                         * @example [
                         *       {
                         *         "repeat": [
                         *           {
                         *             "click": "a.more"
                         *           }
                         *         ],
                         *         "times": 20
                         *       }
                         *     ]
                         */
                        actions?: components["schemas"]["Action"][];
                        /**
                         * @description Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true.
                         * @example [
                         *       ".card a",
                         *       "nav.categories"
                         *     ]
                         */
                        follow?: boolean | string[];
                        /**
                         * @description CSS selector of the link to the next page of a list, which is as deep as the page itself.
                         * @example a.next
                         */
                        next?: string;
                        /** @description `false`: the page is fetched and charged for its links, and has no result. Default true. */
                        keep?: boolean;
                    }[];
                    /**
                     * @description Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.
                     * @example [
                     *       "sort",
                     *       "view_*"
                     *     ]
                     */
                    ignoreQuery?: boolean | string[];
                    /**
                     * @description Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.
                     * @enum {string}
                     */
                    sitemap?: "skip" | "include" | "only";
                    /**
                     * @description Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.
                     * @enum {string}
                     */
                    robots?: "obey" | "ignore";
                    /** @description Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0. */
                    delay?: number;
                    /** @description Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4. */
                    concurrency?: number;
                    /** @description Ends the crawl before it costs more. Running pages count with the most they may cost. */
                    maxCredits?: number;
                    /** @description Milliseconds after which no further page is started. */
                    maxDuration?: number;
                    /** @description Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names. */
                    maxPerPattern?: number;
                    /**
                     * @description Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs.
                     * @example job_01jd8x0000000000000000000
                     */
                    since?: string;
                    /** @description Compares each run with the run before, as `since` does. Only in schedules. Default false. */
                    changes?: boolean;
                };
            };
            results: components["schemas"]["PageResult"][];
            resultsPagination: {
                limit: number;
                offset: number;
                total: number;
                hasMore: boolean;
            };
        };
        /** @description A failed URL has its `error`; a URL that waits for another attempt has the one of its last attempt. */
        JobUrl: {
            /** @description Position in `urls` of the request, or in the order in which a crawl found the URL. */
            index?: number;
            /** @description As given in the request, or as a crawl found it. */
            url: string;
            /** @description Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`. */
            request?: {
                /**
                 * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
                 * @enum {string}
                 */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
                body?: string;
                /**
                 * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
                 * @example {
                 *       "query": "kettle",
                 *       "page": 1
                 *     }
                 */
                json?: unknown;
                /**
                 * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
                 * @example {
                 *       "q": "kettle",
                 *       "category": [
                 *         "kitchen",
                 *         "outdoor"
                 *       ]
                 *     }
                 */
                form?: {
                    [key: string]: string | number | boolean | (string | number | boolean)[];
                };
            };
            /**
             * @description `waiting` to be sent to a scraper, for the first time or for another attempt; `running` on one; `skipped` by a crawl, without a result. `unknown` is a URL that was asked for with `url` and is not a page of the crawl.
             * @enum {string}
             */
            state: "waiting" | "running" | "completed" | "failed" | "skipped" | "cancelled" | "unknown";
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Index of the earlier entry with the same URL, which is fetched for both. */
            duplicateOf?: number;
            /** @description Number of links from a start URL. Only in crawls. */
            depth?: number;
            /** @description URL of the page or sitemap that the page was first found on. Only in crawls. */
            foundOn?: string;
            /** @description Index of the rule in `crawl.rules` that held for the page. */
            rule?: number;
            /**
             * @description Kind of page that the result comes from; absent without a result, and of older versions.
             * @enum {string}
             */
            verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            /**
             * @description Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`).
             * @enum {string}
             */
            change?: "new" | "changed" | "unchanged" | "gone";
            /**
             * @description No link or sitemap leads to the page any more; the crawl before had it.
             * @constant
             */
            unlinked?: true;
            /**
             * @description Reason why a page of a crawl was skipped.
             * @enum {string}
             */
            skipped?: "robots" | "limit" | "redirect" | "notDocument" | "duplicate" | "trap";
            /**
             * @description Reason why the crawl does not follow links to an unknown URL.
             * @enum {string}
             */
            dropped?: "outOfScope" | "excluded" | "depth" | "nofollow" | "trap" | "frontierFull";
            /** @description Explains why a URL is unknown or was skipped. */
            message?: string;
            error?: {
                /** @enum {string} */
                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                message: string;
                suggestion: string;
                /** @enum {string} */
                source: "api" | "target";
                details?: {
                    path: string;
                    message: string;
                }[];
                retryAfterSeconds?: number;
                /** @description HTTP status that the target answered with, if it answered. */
                targetStatusCode?: number;
                /** @description Attempts at the target page, oldest first. */
                attempts?: {
                    /** @enum {string} */
                    engine: "http" | "browser";
                    /**
                     * @description The proxy, by its country and its place in the pool.
                     * @example us-2
                     */
                    proxy?: string;
                    statusCode?: number;
                    /** @description `success`, or the error code that ended the attempt. */
                    outcome: string;
                    durationMs: number;
                }[];
                /**
                 * @description Kind of the page that was read, if the error is about its content; see `metadata.verdict`.
                 * @enum {string}
                 */
                verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            };
        };
        SearchRequest: {
            /**
             * @description The words to search for.
             * @example book shop
             */
            query: string;
            /** @description Most results that are returned. Default 10. */
            limit?: number;
            /**
             * @description Only results of the last day, week, month or year, from engines that know.
             * @enum {string}
             */
            time?: "day" | "week" | "month" | "year";
            /**
             * @description Language of the results. Default that of SearXNG.
             * @example de
             */
            lang?: string;
            /**
             * @description Only results of this host and its subdomains.
             * @example docs.example.com
             */
            site?: string;
            /** @description Scrape the results, with these options of a scrape: up to 10 while you wait, more as a job. Not among them are method and body, cookies and a profile, and no header or step may hold a secret: the search engines choose the sites. */
            scrape?: {
                /**
                 * @description A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options.
                 * @example auto
                 */
                recipe?: string;
                /**
                 * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                 * @example {
                 *       "title": "h1",
                 *       "prices": ".price::text::all"
                 *     }
                 */
                selectors?: {
                    [key: string]: components["schemas"]["Selector"];
                };
                /**
                 * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                 * @example [
                 *       "markdown",
                 *       "metadata"
                 *     ]
                 * @example [
                 *       {
                 *         "type": "markdown",
                 *         "main": true
                 *       },
                 *       "metadata"
                 *     ]
                 */
                formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                    /**
                     * @description Name of the format.
                     * @enum {string}
                     */
                    type: "markdown" | "links" | "images" | "text" | "html";
                    /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                    main?: boolean;
                    /**
                     * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                     * @example main, .post
                     */
                    include?: string;
                    /**
                     * @description CSS selector list of elements to leave out, whatever else says.
                     * @example .ads, .share
                     */
                    exclude?: string;
                    /**
                     * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                     * @enum {string}
                     */
                    hidden?: "keep" | "drop" | "mark";
                } | {
                    /** @constant */
                    type: "article";
                    /**
                     * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                     * @enum {string}
                     */
                    hidden?: "keep" | "drop" | "mark";
                })[];
                /**
                 * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
                 * @example {
                 *       "schema": {
                 *         "type": "object",
                 *         "properties": {
                 *           "title": {
                 *             "type": "string"
                 *           },
                 *           "price": {
                 *             "type": "number"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                extract?: {
                    /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                    schema: {
                        [key: string]: unknown;
                    };
                    /** @description What the model is told besides the schema. */
                    prompt?: string;
                    /**
                     * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                     * @enum {string}
                     */
                    evidence?: "required" | "report";
                    /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                    maxCredits?: number;
                };
                /**
                 * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                 * @example de
                 */
                locale?: string;
                /**
                 * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
                 * @enum {unknown}
                 */
                render?: true | false | "auto";
                /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
                antiBot?: boolean;
                /**
                 * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
                 * @example us
                 */
                proxy?: string;
                /**
                 * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                 * @example [
                 *       {
                 *         "fill": "#q",
                 *         "value": "kettle"
                 *       },
                 *       {
                 *         "press": "Enter"
                 *       },
                 *       {
                 *         "waitFor": ".results"
                 *       }
                 *     ]
                 * @example [
                 *       {
                 *         "repeat": [
                 *           {
                 *             "click": "a.more"
                 *           }
                 *         ],
                 *         "times": 20
                 *       }
                 *     ]
                 */
                actions?: components["schemas"]["Action"][];
                /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
                waitFor?: string | number;
                /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
                screenshot?: boolean | {
                    /** @description The whole page, however long, or only what the window shows first. Default true. */
                    fullPage?: boolean;
                    /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                    selector?: string;
                    /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                    viewport?: {
                        width: number;
                        height: number;
                        /** @description Pixels of the image for each CSS pixel. Default 1. */
                        scale?: number;
                    };
                    /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                    mobile?: boolean;
                    /**
                     * @description Default png.
                     * @enum {string}
                     */
                    format?: "png" | "jpeg" | "webp";
                    /** @description Of a JPEG or WebP image. Default 80. */
                    quality?: number;
                };
                /**
                 * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
                 * @enum {string}
                 */
                overlays?: "keep" | "hide" | "accept" | "reject";
                /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
                frames?: boolean;
                /**
                 * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
                 * @example {
                 *       "offers": {
                 *         "url": "**\/api/offers*",
                 *         "wait": 1
                 *       }
                 *     }
                 */
                capture?: {
                    [key: string]: {
                        /**
                         * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                         * @example /books/**
                         * @example {
                         *       "regex": "/p/[0-9]+$"
                         *     }
                         */
                        url: string | {
                            regex: string;
                        };
                        /**
                         * @description Only requests with this method. Default: any.
                         * @enum {string}
                         */
                        method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                        types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                        /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                        wait?: number;
                        /** @description Number of responses that are kept, the first ones. Default 20. */
                        limit?: number;
                    };
                };
                /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
                pdf?: {
                    /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                    maxPages?: number;
                };
                /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
                download?: boolean;
                /**
                 * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
                 * @enum {string}
                 */
                onSuspect?: "keep" | "fail";
                /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
                snapshot?: boolean;
                /**
                 * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
                 * @example 3600000
                 */
                maxAge?: number;
                /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
                freshContext?: boolean;
                /**
                 * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
                 * @example {
                 *       "Accept-Language": "de"
                 *     }
                 */
                headers?: {
                    [key: string]: string;
                };
                /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
                timeout?: number;
            };
            /** @description The most that all pages together may cost: each gets what it needs at least, then the first results what dearer ways would cost. Pages for which nothing is left fail with INSUFFICIENT_CREDITS. Only with `scrape`. */
            maxCredits?: number;
        };
        /** @description With `scrape` while you wait: the `page` as a scrape answers it, or the `error`. */
        SearchResult: {
            url: string;
            title: string;
            /** @description Text from the page, as the search engine shows it; may be empty. */
            snippet: string;
            /**
             * Format: date-time
             * @description Date of the page, if the search engine knows it.
             */
            publishedAt?: string;
            page?: components["schemas"]["ScrapeResponse"];
            error?: {
                /** @enum {string} */
                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                message: string;
                suggestion: string;
                /** @enum {string} */
                source: "api" | "target";
                details?: {
                    path: string;
                    message: string;
                }[];
                retryAfterSeconds?: number;
                /** @description HTTP status that the target answered with, if it answered. */
                targetStatusCode?: number;
                /** @description Attempts at the target page, oldest first. */
                attempts?: {
                    /** @enum {string} */
                    engine: "http" | "browser";
                    /**
                     * @description The proxy, by its country and its place in the pool.
                     * @example us-2
                     */
                    proxy?: string;
                    statusCode?: number;
                    /** @description `success`, or the error code that ended the attempt. */
                    outcome: string;
                    durationMs: number;
                }[];
                /**
                 * @description Kind of the page that was read, if the error is about its content; see `metadata.verdict`.
                 * @enum {string}
                 */
                verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            };
        };
        SearchResponse: {
            /** @constant */
            success: true;
            /** @description The best first. */
            results: components["schemas"]["SearchResult"][];
            warnings: {
                /**
                 * @description ENGINE_UNRESPONSIVE: an engine of SearXNG did not answer; RESULTS_LEFT_OUT: results that cannot be scraped, or are there twice; RESULTS_INCOMPLETE: further results could not be read.
                 * @enum {string}
                 */
                code: "ENGINE_UNRESPONSIVE" | "RESULTS_LEFT_OUT" | "RESULTS_INCOMPLETE";
                message: string;
            }[];
            job?: components["schemas"]["Job"];
            metadata: {
                query: string;
                /** @description Milliseconds from the request to the response. */
                duration: number;
                /** @description Credits charged for the pages of the response; the search itself costs none. */
                credits: number;
            };
            /** @description The `X-Request-Id` of the response. */
            requestId: string;
        };
        CreateScheduleRequest: {
            /** @description Default "Untitled schedule". */
            name?: string;
            /**
             * @description The page, or the start of a crawl: an absolute http or https URL. Either `url` or `urls`.
             * @example https://example.com/
             */
            url?: string;
            /**
             * @description The pages, or the starts of a crawl: each run is a job of them. Either `url` or `urls`.
             * @example [
             *       "https://example.com/",
             *       "https://example.org/"
             *     ]
             */
            urls?: string[];
            /**
             * @description Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday.
             * @example 0 9 * * 1-5
             */
            cron: string;
            /**
             * @description IANA name of the time zone of `cron`. Default UTC.
             * @example Europe/Berlin
             */
            timezone?: string;
            /**
             * @description `skip` leaves a run out while the one before has not finished; `allow` starts it. Default skip.
             * @enum {string}
             */
            overlap?: "skip" | "allow";
            /**
             * @description Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once.
             * @example {
             *       "limit": 200,
             *       "include": [
             *         "/books/**"
             *       ],
             *       "rules": [
             *         {
             *           "match": "/books/*",
             *           "follow": false
             *         }
             *       ]
             *     }
             */
            crawl?: {
                /**
                 * @description Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum.
                 * @example 500
                 */
                limit?: number;
                /** @description Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10. */
                maxDepth?: number;
                /**
                 * @description Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.
                 * @enum {string}
                 */
                scope?: "path" | "host" | "domain" | "any";
                /** @description Most hosts of a crawl whose scope is `any` or `domain`. Default 100. */
                maxHosts?: number;
                /**
                 * @description Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.
                 * @example [
                 *       "/books/**"
                 *     ]
                 */
                include?: (string | {
                    regex: string;
                })[];
                /**
                 * @description URLs that match one of these are not crawled, whatever `include` says.
                 * @example [
                 *       "**?*add-to-cart=*"
                 *     ]
                 */
                exclude?: (string | {
                    regex: string;
                })[];
                /** @description The first rule whose `match` fits the URL of a page holds for it. */
                rules?: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    match: string | {
                        regex: string;
                    };
                    /**
                     * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                     * @example {
                     *       "title": "h1",
                     *       "prices": ".price::text::all"
                     *     }
                     */
                    selectors?: {
                        [key: string]: components["schemas"]["Selector"];
                    };
                    /**
                     * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                     * @example [
                     *       "markdown",
                     *       "metadata"
                     *     ]
                     * @example [
                     *       {
                     *         "type": "markdown",
                     *         "main": true
                     *       },
                     *       "metadata"
                     *     ]
                     */
                    formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                        /**
                         * @description Name of the format.
                         * @enum {string}
                         */
                        type: "markdown" | "links" | "images" | "text" | "html";
                        /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                        main?: boolean;
                        /**
                         * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                         * @example main, .post
                         */
                        include?: string;
                        /**
                         * @description CSS selector list of elements to leave out, whatever else says.
                         * @example .ads, .share
                         */
                        exclude?: string;
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    } | {
                        /** @constant */
                        type: "article";
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    })[];
                    /**
                     * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                     * @example [
                     *       {
                     *         "fill": "#q",
                     *         "value": "kettle"
                     *       },
                     *       {
                     *         "press": "Enter"
                     *       },
                     *       {
                     *         "waitFor": ".results"
                     *       }
                     *     ]
                     * @example [
                     *       {
                     *         "repeat": [
                     *           {
                     *             "click": "a.more"
                     *           }
                     *         ],
                     *         "times": 20
                     *       }
                     *     ]
                     */
                    actions?: components["schemas"]["Action"][];
                    /**
                     * @description Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true.
                     * @example [
                     *       ".card a",
                     *       "nav.categories"
                     *     ]
                     */
                    follow?: boolean | string[];
                    /**
                     * @description CSS selector of the link to the next page of a list, which is as deep as the page itself.
                     * @example a.next
                     */
                    next?: string;
                    /** @description `false`: the page is fetched and charged for its links, and has no result. Default true. */
                    keep?: boolean;
                }[];
                /**
                 * @description Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.
                 * @example [
                 *       "sort",
                 *       "view_*"
                 *     ]
                 */
                ignoreQuery?: boolean | string[];
                /**
                 * @description Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.
                 * @enum {string}
                 */
                sitemap?: "skip" | "include" | "only";
                /**
                 * @description Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.
                 * @enum {string}
                 */
                robots?: "obey" | "ignore";
                /** @description Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0. */
                delay?: number;
                /** @description Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4. */
                concurrency?: number;
                /** @description Ends the crawl before it costs more. Running pages count with the most they may cost. */
                maxCredits?: number;
                /** @description Milliseconds after which no further page is started. */
                maxDuration?: number;
                /** @description Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names. */
                maxPerPattern?: number;
                /**
                 * @description Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs.
                 * @example job_01jd8x0000000000000000000
                 */
                since?: string;
                /** @description Compares each run with the run before, as `since` does. Only in schedules. Default false. */
                changes?: boolean;
            };
            /**
             * @description A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options.
             * @example auto
             */
            recipe?: string;
            /**
             * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
             * @example {
             *       "title": "h1",
             *       "prices": ".price::text::all"
             *     }
             */
            selectors?: {
                [key: string]: components["schemas"]["Selector"];
            };
            /**
             * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
             * @example [
             *       "markdown",
             *       "metadata"
             *     ]
             * @example [
             *       {
             *         "type": "markdown",
             *         "main": true
             *       },
             *       "metadata"
             *     ]
             */
            formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                /**
                 * @description Name of the format.
                 * @enum {string}
                 */
                type: "markdown" | "links" | "images" | "text" | "html";
                /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                main?: boolean;
                /**
                 * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                 * @example main, .post
                 */
                include?: string;
                /**
                 * @description CSS selector list of elements to leave out, whatever else says.
                 * @example .ads, .share
                 */
                exclude?: string;
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            } | {
                /** @constant */
                type: "article";
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            })[];
            /**
             * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
             * @example {
             *       "schema": {
             *         "type": "object",
             *         "properties": {
             *           "title": {
             *             "type": "string"
             *           },
             *           "price": {
             *             "type": "number"
             *           }
             *         }
             *       }
             *     }
             */
            extract?: {
                /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                schema: {
                    [key: string]: unknown;
                };
                /** @description What the model is told besides the schema. */
                prompt?: string;
                /**
                 * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                 * @enum {string}
                 */
                evidence?: "required" | "report";
                /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                maxCredits?: number;
            };
            /**
             * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
             * @example de
             */
            locale?: string;
            /**
             * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
            body?: string;
            /**
             * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
             * @example {
             *       "query": "kettle",
             *       "page": 1
             *     }
             */
            json?: unknown;
            /**
             * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
             * @example {
             *       "q": "kettle",
             *       "category": [
             *         "kitchen",
             *         "outdoor"
             *       ]
             *     }
             */
            form?: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            /** @description Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false. */
            repeatable?: boolean;
            /**
             * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
             * @enum {unknown}
             */
            render?: true | false | "auto";
            /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
            antiBot?: boolean;
            /**
             * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
             * @example us
             */
            proxy?: string;
            /**
             * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
             * @example [
             *       {
             *         "fill": "#q",
             *         "value": "kettle"
             *       },
             *       {
             *         "press": "Enter"
             *       },
             *       {
             *         "waitFor": ".results"
             *       }
             *     ]
             * @example [
             *       {
             *         "repeat": [
             *           {
             *             "click": "a.more"
             *           }
             *         ],
             *         "times": 20
             *       }
             *     ]
             */
            actions?: components["schemas"]["Action"][];
            /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
            waitFor?: string | number;
            /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
            screenshot?: boolean | {
                /** @description The whole page, however long, or only what the window shows first. Default true. */
                fullPage?: boolean;
                /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                selector?: string;
                /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                viewport?: {
                    width: number;
                    height: number;
                    /** @description Pixels of the image for each CSS pixel. Default 1. */
                    scale?: number;
                };
                /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                mobile?: boolean;
                /**
                 * @description Default png.
                 * @enum {string}
                 */
                format?: "png" | "jpeg" | "webp";
                /** @description Of a JPEG or WebP image. Default 80. */
                quality?: number;
            };
            /**
             * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
             * @enum {string}
             */
            overlays?: "keep" | "hide" | "accept" | "reject";
            /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
            frames?: boolean;
            /**
             * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
             * @example {
             *       "offers": {
             *         "url": "**\/api/offers*",
             *         "wait": 1
             *       }
             *     }
             */
            capture?: {
                [key: string]: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    url: string | {
                        regex: string;
                    };
                    /**
                     * @description Only requests with this method. Default: any.
                     * @enum {string}
                     */
                    method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                    types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                    /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                    wait?: number;
                    /** @description Number of responses that are kept, the first ones. Default 20. */
                    limit?: number;
                };
            };
            /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
            pdf?: {
                /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                maxPages?: number;
            };
            /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
            download?: boolean;
            /**
             * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
             * @enum {string}
             */
            onSuspect?: "keep" | "fail";
            /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
            snapshot?: boolean;
            /**
             * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
             * @example 3600000
             */
            maxAge?: number;
            /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
            freshContext?: boolean;
            /** @description Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs. */
            cookies?: components["schemas"]["Cookie"][];
            /**
             * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
             * @example {
             *       "Accept-Language": "de"
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
             * @example prof_01jd8x0000000000000000000
             */
            profile?: string | {
                id: string;
                /** @description Store what the page leaves in the session. Default true. */
                save?: boolean;
            };
            /** @description The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead. */
            maxCredits?: number;
            /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
            timeout?: number;
            dataset?: components["schemas"]["DatasetOptions"];
            sink?: components["schemas"]["SinkOptions"];
            webhook?: components["schemas"]["Webhook"];
            /** @description Rules that tell people by channels when a record begins to meet a condition. Only pages of the verdict `content`, and fields that have not fallen, are judged. */
            notify?: components["schemas"]["Rule"][];
        } & ({
            url: unknown;
        } | {
            urls: unknown;
        });
        SchedulePatch: {
            /**
             * @description The page, or the start of a crawl: an absolute http or https URL. Either `url` or `urls`.
             * @example https://example.com/
             */
            url?: string;
            /**
             * @description The pages, or the starts of a crawl: each run is a job of them. Either `url` or `urls`.
             * @example [
             *       "https://example.com/",
             *       "https://example.org/"
             *     ]
             */
            urls?: string[];
            /**
             * @description Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday.
             * @example 0 9 * * 1-5
             */
            cron?: string;
            name?: string | null;
            timezone?: string | null;
            overlap?: ("skip" | "allow") | null;
            crawl?: {
                /**
                 * @description Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum.
                 * @example 500
                 */
                limit?: number;
                /** @description Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10. */
                maxDepth?: number;
                /**
                 * @description Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.
                 * @enum {string}
                 */
                scope?: "path" | "host" | "domain" | "any";
                /** @description Most hosts of a crawl whose scope is `any` or `domain`. Default 100. */
                maxHosts?: number;
                /**
                 * @description Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.
                 * @example [
                 *       "/books/**"
                 *     ]
                 */
                include?: (string | {
                    regex: string;
                })[];
                /**
                 * @description URLs that match one of these are not crawled, whatever `include` says.
                 * @example [
                 *       "**?*add-to-cart=*"
                 *     ]
                 */
                exclude?: (string | {
                    regex: string;
                })[];
                /** @description The first rule whose `match` fits the URL of a page holds for it. */
                rules?: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    match: string | {
                        regex: string;
                    };
                    /**
                     * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                     * @example {
                     *       "title": "h1",
                     *       "prices": ".price::text::all"
                     *     }
                     */
                    selectors?: {
                        [key: string]: components["schemas"]["Selector"];
                    };
                    /**
                     * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                     * @example [
                     *       "markdown",
                     *       "metadata"
                     *     ]
                     * @example [
                     *       {
                     *         "type": "markdown",
                     *         "main": true
                     *       },
                     *       "metadata"
                     *     ]
                     */
                    formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                        /**
                         * @description Name of the format.
                         * @enum {string}
                         */
                        type: "markdown" | "links" | "images" | "text" | "html";
                        /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                        main?: boolean;
                        /**
                         * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                         * @example main, .post
                         */
                        include?: string;
                        /**
                         * @description CSS selector list of elements to leave out, whatever else says.
                         * @example .ads, .share
                         */
                        exclude?: string;
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    } | {
                        /** @constant */
                        type: "article";
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    })[];
                    /**
                     * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                     * @example [
                     *       {
                     *         "fill": "#q",
                     *         "value": "kettle"
                     *       },
                     *       {
                     *         "press": "Enter"
                     *       },
                     *       {
                     *         "waitFor": ".results"
                     *       }
                     *     ]
                     * @example [
                     *       {
                     *         "repeat": [
                     *           {
                     *             "click": "a.more"
                     *           }
                     *         ],
                     *         "times": 20
                     *       }
                     *     ]
                     */
                    actions?: components["schemas"]["Action"][];
                    /**
                     * @description Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true.
                     * @example [
                     *       ".card a",
                     *       "nav.categories"
                     *     ]
                     */
                    follow?: boolean | string[];
                    /**
                     * @description CSS selector of the link to the next page of a list, which is as deep as the page itself.
                     * @example a.next
                     */
                    next?: string;
                    /** @description `false`: the page is fetched and charged for its links, and has no result. Default true. */
                    keep?: boolean;
                }[];
                /**
                 * @description Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.
                 * @example [
                 *       "sort",
                 *       "view_*"
                 *     ]
                 */
                ignoreQuery?: boolean | string[];
                /**
                 * @description Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.
                 * @enum {string}
                 */
                sitemap?: "skip" | "include" | "only";
                /**
                 * @description Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.
                 * @enum {string}
                 */
                robots?: "obey" | "ignore";
                /** @description Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0. */
                delay?: number;
                /** @description Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4. */
                concurrency?: number;
                /** @description Ends the crawl before it costs more. Running pages count with the most they may cost. */
                maxCredits?: number;
                /** @description Milliseconds after which no further page is started. */
                maxDuration?: number;
                /** @description Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names. */
                maxPerPattern?: number;
                /**
                 * @description Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs.
                 * @example job_01jd8x0000000000000000000
                 */
                since?: string;
                /** @description Compares each run with the run before, as `since` does. Only in schedules. Default false. */
                changes?: boolean;
            } | null;
            recipe?: string | null;
            selectors?: {
                [key: string]: components["schemas"]["Selector"];
            } | null;
            formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                /**
                 * @description Name of the format.
                 * @enum {string}
                 */
                type: "markdown" | "links" | "images" | "text" | "html";
                /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                main?: boolean;
                /**
                 * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                 * @example main, .post
                 */
                include?: string;
                /**
                 * @description CSS selector list of elements to leave out, whatever else says.
                 * @example .ads, .share
                 */
                exclude?: string;
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            } | {
                /** @constant */
                type: "article";
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            })[] | null;
            extract?: {
                /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                schema: {
                    [key: string]: unknown;
                };
                /** @description What the model is told besides the schema. */
                prompt?: string;
                /**
                 * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                 * @enum {string}
                 */
                evidence?: "required" | "report";
                /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                maxCredits?: number;
            } | null;
            locale?: string | null;
            method?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE") | null;
            body?: string | null;
            json?: unknown | null;
            form?: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            } | null;
            repeatable?: boolean | null;
            render?: (true | false | "auto") | null;
            antiBot?: boolean | null;
            proxy?: string | null;
            actions?: components["schemas"]["Action"][] | null;
            waitFor?: (string | number) | null;
            screenshot?: (boolean | {
                /** @description The whole page, however long, or only what the window shows first. Default true. */
                fullPage?: boolean;
                /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                selector?: string;
                /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                viewport?: {
                    width: number;
                    height: number;
                    /** @description Pixels of the image for each CSS pixel. Default 1. */
                    scale?: number;
                };
                /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                mobile?: boolean;
                /**
                 * @description Default png.
                 * @enum {string}
                 */
                format?: "png" | "jpeg" | "webp";
                /** @description Of a JPEG or WebP image. Default 80. */
                quality?: number;
            }) | null;
            overlays?: ("keep" | "hide" | "accept" | "reject") | null;
            frames?: boolean | null;
            capture?: {
                [key: string]: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    url: string | {
                        regex: string;
                    };
                    /**
                     * @description Only requests with this method. Default: any.
                     * @enum {string}
                     */
                    method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                    types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                    /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                    wait?: number;
                    /** @description Number of responses that are kept, the first ones. Default 20. */
                    limit?: number;
                };
            } | null;
            pdf?: {
                /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                maxPages?: number;
            } | null;
            download?: boolean | null;
            onSuspect?: ("keep" | "fail") | null;
            snapshot?: boolean | null;
            maxAge?: number | null;
            freshContext?: boolean | null;
            cookies?: components["schemas"]["Cookie"][] | null;
            headers?: {
                [key: string]: string;
            } | null;
            profile?: (string | {
                id: string;
                /** @description Store what the page leaves in the session. Default true. */
                save?: boolean;
            }) | null;
            maxCredits?: number | null;
            timeout?: number | null;
            dataset?: components["schemas"]["DatasetOptions"] | null;
            sink?: components["schemas"]["SinkOptions"] | null;
            webhook?: components["schemas"]["Webhook"] | null;
            notify?: components["schemas"]["Rule"][] | null;
        };
        Rule: {
            /**
             * @description Name of the rule, the title of its messages.
             * @example Cheap books
             */
            name: string;
            /**
             * @description A condition, or `any` and `all` of several, up to three levels deep. All conditions of a rule are about the same list, or about the page.
             * @example {
             *       "field": "price.amount",
             *       "below": 20
             *     }
             */
            when: {
                /**
                 * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                 * @example price.amount
                 */
                field: string;
                /** @description The number falls below this bound. */
                below: number;
            } | {
                /**
                 * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                 * @example price.amount
                 */
                field: string;
                /** @description The number rises above this bound. */
                above: number;
            } | {
                /**
                 * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                 * @example price.amount
                 */
                field: string;
                /** @description The value becomes this text, number, true, false or null. */
                becomes: string | number | boolean | null;
            } | {
                /**
                 * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                 * @example price.amount
                 */
                field: string;
                /**
                 * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                 * @example -10%
                 */
                by: string;
            } | {
                /** @description One of these fields differs from the run before. */
                changed: string[];
            } | {
                /**
                 * @description A record of this list that was not there before.
                 * @example books
                 */
                added: string;
            } | {
                /**
                 * @description A record of this list that is no longer there.
                 * @example books
                 */
                removed: string;
            } | {
                any: ({
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /** @description The number falls below this bound. */
                    below: number;
                } | {
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /** @description The number rises above this bound. */
                    above: number;
                } | {
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /** @description The value becomes this text, number, true, false or null. */
                    becomes: string | number | boolean | null;
                } | {
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /**
                     * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                     * @example -10%
                     */
                    by: string;
                } | {
                    /** @description One of these fields differs from the run before. */
                    changed: string[];
                } | {
                    /**
                     * @description A record of this list that was not there before.
                     * @example books
                     */
                    added: string;
                } | {
                    /**
                     * @description A record of this list that is no longer there.
                     * @example books
                     */
                    removed: string;
                } | {
                    any: ({
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number falls below this bound. */
                        below: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number rises above this bound. */
                        above: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The value becomes this text, number, true, false or null. */
                        becomes: string | number | boolean | null;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /**
                         * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                         * @example -10%
                         */
                        by: string;
                    } | {
                        /** @description One of these fields differs from the run before. */
                        changed: string[];
                    } | {
                        /**
                         * @description A record of this list that was not there before.
                         * @example books
                         */
                        added: string;
                    } | {
                        /**
                         * @description A record of this list that is no longer there.
                         * @example books
                         */
                        removed: string;
                    } | {
                        any: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    } | {
                        all: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    })[];
                } | {
                    all: ({
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number falls below this bound. */
                        below: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number rises above this bound. */
                        above: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The value becomes this text, number, true, false or null. */
                        becomes: string | number | boolean | null;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /**
                         * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                         * @example -10%
                         */
                        by: string;
                    } | {
                        /** @description One of these fields differs from the run before. */
                        changed: string[];
                    } | {
                        /**
                         * @description A record of this list that was not there before.
                         * @example books
                         */
                        added: string;
                    } | {
                        /**
                         * @description A record of this list that is no longer there.
                         * @example books
                         */
                        removed: string;
                    } | {
                        any: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    } | {
                        all: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    })[];
                })[];
            } | {
                all: ({
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /** @description The number falls below this bound. */
                    below: number;
                } | {
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /** @description The number rises above this bound. */
                    above: number;
                } | {
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /** @description The value becomes this text, number, true, false or null. */
                    becomes: string | number | boolean | null;
                } | {
                    /**
                     * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                     * @example price.amount
                     */
                    field: string;
                    /**
                     * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                     * @example -10%
                     */
                    by: string;
                } | {
                    /** @description One of these fields differs from the run before. */
                    changed: string[];
                } | {
                    /**
                     * @description A record of this list that was not there before.
                     * @example books
                     */
                    added: string;
                } | {
                    /**
                     * @description A record of this list that is no longer there.
                     * @example books
                     */
                    removed: string;
                } | {
                    any: ({
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number falls below this bound. */
                        below: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number rises above this bound. */
                        above: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The value becomes this text, number, true, false or null. */
                        becomes: string | number | boolean | null;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /**
                         * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                         * @example -10%
                         */
                        by: string;
                    } | {
                        /** @description One of these fields differs from the run before. */
                        changed: string[];
                    } | {
                        /**
                         * @description A record of this list that was not there before.
                         * @example books
                         */
                        added: string;
                    } | {
                        /**
                         * @description A record of this list that is no longer there.
                         * @example books
                         */
                        removed: string;
                    } | {
                        any: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    } | {
                        all: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    })[];
                } | {
                    all: ({
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number falls below this bound. */
                        below: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The number rises above this bound. */
                        above: number;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /** @description The value becomes this text, number, true, false or null. */
                        becomes: string | number | boolean | null;
                    } | {
                        /**
                         * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                         * @example price.amount
                         */
                        field: string;
                        /**
                         * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                         * @example -10%
                         */
                        by: string;
                    } | {
                        /** @description One of these fields differs from the run before. */
                        changed: string[];
                    } | {
                        /**
                         * @description A record of this list that was not there before.
                         * @example books
                         */
                        added: string;
                    } | {
                        /**
                         * @description A record of this list that is no longer there.
                         * @example books
                         */
                        removed: string;
                    } | {
                        any: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    } | {
                        all: ({
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number falls below this bound. */
                            below: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The number rises above this bound. */
                            above: number;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /** @description The value becomes this text, number, true, false or null. */
                            becomes: string | number | boolean | null;
                        } | {
                            /**
                             * @description Dotted name of a field of the selectors: `price.amount`, `books.price.amount`.
                             * @example price.amount
                             */
                            field: string;
                            /**
                             * @description The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen.
                             * @example -10%
                             */
                            by: string;
                        } | {
                            /** @description One of these fields differs from the run before. */
                            changed: string[];
                        } | {
                            /**
                             * @description A record of this list that was not there before.
                             * @example books
                             */
                            added: string;
                        } | {
                            /**
                             * @description A record of this list that is no longer there.
                             * @example books
                             */
                            removed: string;
                        })[];
                    })[];
                })[];
            };
            /** @description Milliseconds after a message during which the rule does not tell of the same record again; what holds by then is told after it. Default 0. */
            cooldown?: number;
            /** @description Runs that must find the same, at least 30 seconds after one another, before the rule tells. They are started for it, and cost what runs cost. Default 0. */
            confirm?: number;
            /** @description Tell also what holds in the first run. Default false. */
            initial?: boolean;
            /** @description Tell at every run while it holds, instead of once when it becomes true. Default false. */
            every?: boolean;
            /** @description Milliseconds for which what the rule tells is collected, from the first record on; the first run after them tells of all. Default: every run tells at once. */
            digest?: number;
            /**
             * @description Ids of channels.
             * @example [
             *       "chn_01jd8x0000000000000000000"
             *     ]
             */
            to: string[];
        };
        Schedule: {
            /** @example sch_01jd8x0000000000000000000 */
            id: string;
            /** @description Default "Untitled schedule". */
            name: string;
            /**
             * @description The page, or the start of a crawl: an absolute http or https URL. Either `url` or `urls`.
             * @example https://example.com/
             */
            url?: string;
            /**
             * @description The pages, or the starts of a crawl: each run is a job of them. Either `url` or `urls`.
             * @example [
             *       "https://example.com/",
             *       "https://example.org/"
             *     ]
             */
            urls?: string[];
            /**
             * @description Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday.
             * @example 0 9 * * 1-5
             */
            cron: string;
            /**
             * @description IANA name of the time zone of `cron`. Default UTC.
             * @example Europe/Berlin
             */
            timezone: string;
            /**
             * @description `skip` leaves a run out while the one before has not finished; `allow` starts it. Default skip.
             * @enum {string}
             */
            overlap: "skip" | "allow";
            /**
             * @description Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once.
             * @example {
             *       "limit": 200,
             *       "include": [
             *         "/books/**"
             *       ],
             *       "rules": [
             *         {
             *           "match": "/books/*",
             *           "follow": false
             *         }
             *       ]
             *     }
             */
            crawl?: {
                /**
                 * @description Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum.
                 * @example 500
                 */
                limit?: number;
                /** @description Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10. */
                maxDepth?: number;
                /**
                 * @description Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.
                 * @enum {string}
                 */
                scope?: "path" | "host" | "domain" | "any";
                /** @description Most hosts of a crawl whose scope is `any` or `domain`. Default 100. */
                maxHosts?: number;
                /**
                 * @description Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.
                 * @example [
                 *       "/books/**"
                 *     ]
                 */
                include?: (string | {
                    regex: string;
                })[];
                /**
                 * @description URLs that match one of these are not crawled, whatever `include` says.
                 * @example [
                 *       "**?*add-to-cart=*"
                 *     ]
                 */
                exclude?: (string | {
                    regex: string;
                })[];
                /** @description The first rule whose `match` fits the URL of a page holds for it. */
                rules?: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    match: string | {
                        regex: string;
                    };
                    /**
                     * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                     * @example {
                     *       "title": "h1",
                     *       "prices": ".price::text::all"
                     *     }
                     */
                    selectors?: {
                        [key: string]: components["schemas"]["Selector"];
                    };
                    /**
                     * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                     * @example [
                     *       "markdown",
                     *       "metadata"
                     *     ]
                     * @example [
                     *       {
                     *         "type": "markdown",
                     *         "main": true
                     *       },
                     *       "metadata"
                     *     ]
                     */
                    formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                        /**
                         * @description Name of the format.
                         * @enum {string}
                         */
                        type: "markdown" | "links" | "images" | "text" | "html";
                        /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                        main?: boolean;
                        /**
                         * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                         * @example main, .post
                         */
                        include?: string;
                        /**
                         * @description CSS selector list of elements to leave out, whatever else says.
                         * @example .ads, .share
                         */
                        exclude?: string;
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    } | {
                        /** @constant */
                        type: "article";
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    })[];
                    /**
                     * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                     * @example [
                     *       {
                     *         "fill": "#q",
                     *         "value": "kettle"
                     *       },
                     *       {
                     *         "press": "Enter"
                     *       },
                     *       {
                     *         "waitFor": ".results"
                     *       }
                     *     ]
                     * @example [
                     *       {
                     *         "repeat": [
                     *           {
                     *             "click": "a.more"
                     *           }
                     *         ],
                     *         "times": 20
                     *       }
                     *     ]
                     */
                    actions?: components["schemas"]["Action"][];
                    /**
                     * @description Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true.
                     * @example [
                     *       ".card a",
                     *       "nav.categories"
                     *     ]
                     */
                    follow?: boolean | string[];
                    /**
                     * @description CSS selector of the link to the next page of a list, which is as deep as the page itself.
                     * @example a.next
                     */
                    next?: string;
                    /** @description `false`: the page is fetched and charged for its links, and has no result. Default true. */
                    keep?: boolean;
                }[];
                /**
                 * @description Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.
                 * @example [
                 *       "sort",
                 *       "view_*"
                 *     ]
                 */
                ignoreQuery?: boolean | string[];
                /**
                 * @description Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.
                 * @enum {string}
                 */
                sitemap?: "skip" | "include" | "only";
                /**
                 * @description Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.
                 * @enum {string}
                 */
                robots?: "obey" | "ignore";
                /** @description Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0. */
                delay?: number;
                /** @description Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4. */
                concurrency?: number;
                /** @description Ends the crawl before it costs more. Running pages count with the most they may cost. */
                maxCredits?: number;
                /** @description Milliseconds after which no further page is started. */
                maxDuration?: number;
                /** @description Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names. */
                maxPerPattern?: number;
                /**
                 * @description Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs.
                 * @example job_01jd8x0000000000000000000
                 */
                since?: string;
                /** @description Compares each run with the run before, as `since` does. Only in schedules. Default false. */
                changes?: boolean;
            };
            /**
             * @description A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options.
             * @example auto
             */
            recipe?: string;
            selectors: {
                [key: string]: components["schemas"]["Selector"];
            } | null;
            /**
             * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
             * @example [
             *       "markdown",
             *       "metadata"
             *     ]
             * @example [
             *       {
             *         "type": "markdown",
             *         "main": true
             *       },
             *       "metadata"
             *     ]
             */
            formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                /**
                 * @description Name of the format.
                 * @enum {string}
                 */
                type: "markdown" | "links" | "images" | "text" | "html";
                /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                main?: boolean;
                /**
                 * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                 * @example main, .post
                 */
                include?: string;
                /**
                 * @description CSS selector list of elements to leave out, whatever else says.
                 * @example .ads, .share
                 */
                exclude?: string;
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            } | {
                /** @constant */
                type: "article";
                /**
                 * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                 * @enum {string}
                 */
                hidden?: "keep" | "drop" | "mark";
            })[];
            /**
             * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
             * @example {
             *       "schema": {
             *         "type": "object",
             *         "properties": {
             *           "title": {
             *             "type": "string"
             *           },
             *           "price": {
             *             "type": "number"
             *           }
             *         }
             *       }
             *     }
             */
            extract?: {
                /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                schema: {
                    [key: string]: unknown;
                };
                /** @description What the model is told besides the schema. */
                prompt?: string;
                /**
                 * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                 * @enum {string}
                 */
                evidence?: "required" | "report";
                /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                maxCredits?: number;
            };
            /**
             * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
             * @example de
             */
            locale?: string;
            /**
             * @description Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`. */
            body?: string;
            /**
             * @description Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.
             * @example {
             *       "query": "kettle",
             *       "page": 1
             *     }
             */
            json?: unknown;
            /**
             * @description Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.
             * @example {
             *       "q": "kettle",
             *       "category": [
             *         "kitchen",
             *         "outdoor"
             *       ]
             *     }
             */
            form?: {
                [key: string]: string | number | boolean | (string | number | boolean)[];
            };
            /** @description Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false. */
            repeatable?: boolean;
            /**
             * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
             * @enum {unknown}
             */
            render?: true | false | "auto";
            /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
            antiBot?: boolean;
            /**
             * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
             * @example us
             */
            proxy?: string;
            /**
             * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
             * @example [
             *       {
             *         "fill": "#q",
             *         "value": "kettle"
             *       },
             *       {
             *         "press": "Enter"
             *       },
             *       {
             *         "waitFor": ".results"
             *       }
             *     ]
             * @example [
             *       {
             *         "repeat": [
             *           {
             *             "click": "a.more"
             *           }
             *         ],
             *         "times": 20
             *       }
             *     ]
             */
            actions?: components["schemas"]["Action"][];
            /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
            waitFor?: string | number;
            /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
            screenshot?: boolean | {
                /** @description The whole page, however long, or only what the window shows first. Default true. */
                fullPage?: boolean;
                /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                selector?: string;
                /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                viewport?: {
                    width: number;
                    height: number;
                    /** @description Pixels of the image for each CSS pixel. Default 1. */
                    scale?: number;
                };
                /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                mobile?: boolean;
                /**
                 * @description Default png.
                 * @enum {string}
                 */
                format?: "png" | "jpeg" | "webp";
                /** @description Of a JPEG or WebP image. Default 80. */
                quality?: number;
            };
            /**
             * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
             * @enum {string}
             */
            overlays?: "keep" | "hide" | "accept" | "reject";
            /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
            frames?: boolean;
            /**
             * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
             * @example {
             *       "offers": {
             *         "url": "**\/api/offers*",
             *         "wait": 1
             *       }
             *     }
             */
            capture?: {
                [key: string]: {
                    /**
                     * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                     * @example /books/**
                     * @example {
                     *       "regex": "/p/[0-9]+$"
                     *     }
                     */
                    url: string | {
                        regex: string;
                    };
                    /**
                     * @description Only requests with this method. Default: any.
                     * @enum {string}
                     */
                    method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                    types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                    /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                    wait?: number;
                    /** @description Number of responses that are kept, the first ones. Default 20. */
                    limit?: number;
                };
            };
            /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
            pdf?: {
                /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                maxPages?: number;
            };
            /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
            download?: boolean;
            /**
             * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
             * @enum {string}
             */
            onSuspect?: "keep" | "fail";
            /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
            snapshot?: boolean;
            /**
             * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
             * @example 3600000
             */
            maxAge?: number;
            /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
            freshContext?: boolean;
            /** @description Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs. */
            cookies?: components["schemas"]["Cookie"][];
            /**
             * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
             * @example {
             *       "Accept-Language": "de"
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
             * @example prof_01jd8x0000000000000000000
             */
            profile?: string | {
                id: string;
                /** @description Store what the page leaves in the session. Default true. */
                save?: boolean;
            };
            /** @description The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead. */
            maxCredits?: number;
            /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
            timeout?: number;
            dataset?: components["schemas"]["DatasetOptions"];
            sink?: components["schemas"]["SinkOptions"];
            webhook: components["schemas"]["Webhook"] | null;
            /** @description Rules that tell people by channels when a record begins to meet a condition. Only pages of the verdict `content`, and fields that have not fallen, are judged. */
            notify?: components["schemas"]["Rule"][];
            /** @enum {string} */
            status: "active" | "paused";
            /**
             * @description `drifting` when a field has returned less than half of what it used to in two runs in a row, `broken` when such a field returned nothing in the last run, else `ok`. Only pages of the verdict `content` count. `GET /v1/schedules/{id}/health` has the fields.
             * @enum {string}
             */
            health: "ok" | "drifting" | "broken";
            nextRunAt: string | null;
            lastRunAt: string | null;
            lastJobId: string | null;
            lastStatus: ("pending" | "running" | "completed" | "partial" | "failed" | "cancelled" | "refused") | null;
            lastError: {
                /** @enum {string} */
                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                message: string;
                suggestion: string;
                /** @enum {string} */
                source: "api" | "target";
                details?: {
                    path: string;
                    message: string;
                }[];
                retryAfterSeconds?: number;
                /** @description HTTP status that the target answered with, if it answered. */
                targetStatusCode?: number;
                /** @description Attempts at the target page, oldest first. */
                attempts?: {
                    /** @enum {string} */
                    engine: "http" | "browser";
                    /**
                     * @description The proxy, by its country and its place in the pool.
                     * @example us-2
                     */
                    proxy?: string;
                    statusCode?: number;
                    /** @description `success`, or the error code that ended the attempt. */
                    outcome: string;
                    durationMs: number;
                }[];
                /**
                 * @description Kind of the page that was read, if the error is about its content; see `metadata.verdict`.
                 * @enum {string}
                 */
                verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            } | null;
            /** @description The changes that the last finished run of a crawl with `changes` found. */
            lastChanges: {
                /** @description Pages that the crawl before did not have. */
                new: number;
                /** @description Pages with other content. */
                changed: number;
                /** @description Pages with the same content. */
                unchanged: number;
                /** @description Pages that answer 404 or 410 now. */
                gone: number;
                /** @description Of the changed and unchanged ones, pages that still answer, but that no link or sitemap leads to any more. */
                unlinked: number;
            } | null;
            /** @description Number of runs that were started. */
            runCount: number;
            /** @description Number of runs left out because the one before had not finished (see `overlap`). */
            skippedCount: number;
            lastSkippedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change of settings or status.
             */
            updatedAt: string;
        };
        ScheduleHealth: {
            scheduleId: string;
            /**
             * @description `drifting` when a field has returned less than half of what it used to in two runs in a row, `broken` when such a field returned nothing in the last run, else `ok`. Only pages of the verdict `content` count. `GET /v1/schedules/{id}/health` has the fields.
             * @enum {string}
             */
            health: "ok" | "drifting" | "broken";
            /** @description Runs that the medians are made of, up to 20. */
            runs: number;
            lastJobId: string | null;
            /** @description Those that have fallen come first. */
            fields: {
                /** @description Dotted name of the field: `price`, `books.price`; of a rule of a crawl, `rules.1.price`. */
                path: string;
                /** @enum {string} */
                health: "ok" | "drifting" | "broken";
                /** @description Medians over the runs before, up to 20; null while there are fewer than three. */
                before: {
                    fill: number | null;
                    count: number | null;
                    conversion: number | null;
                    shape: number | null;
                } | null;
                /** @description The last run whose pages were content. */
                now: {
                    fill: number | null;
                    count: number | null;
                    conversion: number | null;
                    shape: number | null;
                } | null;
                fallen?: {
                    /** @description Dotted name of the field: `price`, `books.price`; of a rule of a crawl, `rules.1.price`. */
                    path: string;
                    /**
                     * @description The measure that fell.
                     * @enum {string}
                     */
                    measure: "fill" | "count" | "conversion" | "shape";
                    /** @description Median of the runs before, or the bound of `expect`. */
                    before: number;
                    now: number;
                    /** @description The run in which it was found. */
                    jobId: string;
                    /** Format: date-time */
                    at: string;
                };
                suggestion?: {
                    /**
                     * @description The selector to use instead.
                     * @example h1
                     * @example {
                     *       "selector": ".price",
                     *       "type": "price",
                     *       "currency": "EUR",
                     *       "required": true
                     *     }
                     * @example {
                     *       "selector": ".card",
                     *       "all": true,
                     *       "fields": {
                     *         "title": "h2",
                     *         "url": "a::attr(href)"
                     *       }
                     *     }
                     */
                    selector: string | {
                        /** @description Selects the element; with `all`, every element. It may be left out when `json` reads a JSON document or the record around the field. */
                        selector?: string;
                        /** @description Every match, as an array. Default false. */
                        all?: boolean;
                        /** @description Resolve href and src against the page's base URL. Default false. */
                        absolute?: boolean;
                        /**
                         * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                         * @example {
                         *       "title": "h1",
                         *       "prices": ".price::text::all"
                         *     }
                         */
                        fields?: {
                            [key: string]: components["schemas"]["Selector"];
                        };
                        /**
                         * @description White space of a text: one space for each run, or unchanged, with line breaks at br and between blocks. Default collapse.
                         * @enum {string}
                         */
                        whitespace?: "collapse" | "keep";
                        /**
                         * @description CSS selector list of descendants whose text is left out.
                         * @example sup, .visually-hidden
                         */
                        exclude?: string;
                        /**
                         * @description JSONPath (RFC 9535, without functions) into the text of the element, the body of a JSON document, or the JSON record around the field. Values keep their JSON type.
                         * @example $.offers[*].price
                         */
                        json?: string;
                        /**
                         * @description Name of a capture: `json` reads its responses instead of the page, all of them in their order.
                         * @example offers
                         */
                        from?: string;
                        /**
                         * @description Regular expression in RE2 syntax, at most 1 KiB: the value is its first group, or the whole match if it has none. It reads the first 64 KiB of the text.
                         * @example (\d+) left
                         */
                        pattern?: string;
                        /**
                         * @description Type of the value. A text that does not convert becomes null, with the warning VALUE_NOT_CONVERTED.
                         * @enum {string}
                         */
                        type?: "string" | "number" | "integer" | "price" | "boolean" | "date" | "datetime" | "url" | "json" | "table" | "rows" | "markdown" | "count";
                        /**
                         * @description Any JSON of at most 4 KiB; replaces null.
                         * @example 0
                         */
                        default?: unknown;
                        /** @description Without a value, a record of a list is left out, and anything else fails with REQUIRED_FIELD_MISSING. Default false. */
                        required?: boolean;
                        /**
                         * @description BCP 47 tag of the language that numbers, prices and dates are written in.
                         * @example de
                         */
                        locale?: string;
                        /**
                         * @description ISO 4217 code of prices whose text does not name their currency.
                         * @example EUR
                         */
                        currency?: string;
                        /**
                         * @description Format of the dates; without it, common formats are recognized.
                         * @example dd.MM.yyyy HH:mm
                         */
                        format?: string;
                        /**
                         * @description IANA time zone of times that do not name their offset. Default UTC.
                         * @example Europe/Berlin
                         */
                        timezone?: string;
                        /**
                         * @description Of a list of records: the field that tells them apart when runs are compared. Without it, one is looked for: an id, a URL, a unique text.
                         * @example sku
                         */
                        key?: string;
                        /**
                         * @description Bounds of its own: a job in which the field returns less is `partial`, with the warning EXPECTATION_FAILED. For the health of a schedule they replace what was usual. Only pages of the verdict `content` count.
                         * @example {
                         *       "fill": 0.9,
                         *       "min": 10
                         *     }
                         */
                        expect?: {
                            /** @description Least share of the pages, or of the records around the field, that have a value. */
                            fill?: number;
                            /** @description Least number of values or records on a page, on average over the pages. */
                            min?: number;
                        };
                    };
                    /** @description True if it was run over the last good and the first bad page: the good page gave the values that the old selector gave, and the bad page the same values where they are still there, and values of the same shape elsewhere. */
                    isVerified: boolean;
                    /** @description First values that it returns for the last good page. */
                    before: unknown[];
                    /** @description First values that it returns for the first bad page. */
                    now: unknown[];
                    reasons: string[];
                };
                /** @description Reason why there is no suggestion, and what to do. */
                note?: string;
            }[];
            /** @description Up to three pages as they were and as they are, as snapshots. */
            pages: {
                url: string;
                good: string | null;
                goodAt: string | null;
                bad: string | null;
                badAt: string | null;
            }[];
            /** @description Names the selectors and pages that the suggestions are made of, for `POST …/health/accept`. */
            suggestedFor: string;
        };
        ScheduleFeed: {
            /**
             * @description Opens the feeds of this schedule, and nothing else, without an API key.
             * @example glf_…
             */
            token: string;
            /**
             * @description Path of the Atom feed with the token; a reader takes it behind the address of the service.
             * @example /v1/schedules/sch_01jd8x0000000000000000000/feed.atom?token=glf_…
             */
            atomUrl: string;
            /** @description The same as JSON Feed. */
            jsonUrl: string;
            /**
             * Format: date-time
             * @description Time at which the token was made.
             */
            createdAt: string;
        };
        PageDiff: {
            url: string;
            /** @description Lines that only the run after has. */
            added: number;
            /** @description Lines that only the run before has. */
            removed: number;
            /** @description Unified text of the difference; null where the page is too large, or too different. */
            text: string | null;
            /**
             * @description Long lines are cut, or later parts of the difference left out.
             * @constant
             */
            isCut?: true;
        };
        ScheduleDiff: {
            from: {
                /** @description The run before. */
                jobId: string;
                at: string | null;
            };
            to: {
                /** @description The run after. */
                jobId: string;
                at: string | null;
            };
            /** @description The pages that differ, in the order of the run after. */
            pages: components["schemas"]["PageDiff"][];
            /** @description Number of pages with equal Markdown. */
            unchanged: number;
            /** @description Number of pages that have Markdown in only one of the runs, or in none. */
            notCompared: number;
            /** @description Number of further pages, which were not compared because there are too many, or they take too long: name one by `url`. */
            omitted: number;
        };
        Run: {
            /** @example job_01jd8x0000000000000000000 */
            id: string;
            name: string;
            /**
             * @description Hosts of its URLs, of a crawl those of its start URLs; the first five.
             * @example [
             *       "shop.example"
             *     ]
             */
            hosts?: string[];
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "partial" | "failed" | "cancelled";
            /** @description URLs of the job; of a crawl, those known so far. */
            totalUrls: number;
            /** @description URLs processed so far, failed ones included. */
            completedUrls: number;
            /** @description URLs that failed. */
            failedUrls: number;
            creditsUsed: number;
            /**
             * @description Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs.
             * @example {
             *       "content": 940,
             *       "login": 60
             *     }
             */
            verdicts?: {
                content?: number;
                wall?: number;
                login?: number;
                consent?: number;
                notFound?: number;
                shell?: number;
                empty?: number;
                notice?: number;
            };
            crawl?: {
                /** @description Pages that were fetched, failed ones included. */
                fetched: number;
                /** @description Pages with a result, failed ones included: the fetched ones but those that were only followed. */
                results: number;
                /** @description Pages that are known and wait. */
                waiting: number;
                /** @description Pages on a scraper. */
                running: number;
                /** @description The greatest depth of a page that was fetched. */
                depth: number;
                /** @description Hosts of the crawl. */
                hosts: number;
                /** @description Of the fetched ones, linked pages that answered 404 or 410; they do not count as failed. */
                notFound: number;
                /** @description Pages without a result and without a charge, by reason. */
                skipped: {
                    /** @description robots.txt disallows them. */
                    robots: number;
                    /** @description A limit of the crawl was reached before; see `stoppedBy`. */
                    limit: number;
                    /** @description They redirect to another URL, which is crawled if it is in scope. */
                    redirect: number;
                    /** @description They are images, archives or other files without text. */
                    notDocument: number;
                    /** @description They have the text of the page that they name as their canonical one. */
                    duplicate: number;
                    /** @description Most pages with URLs like theirs had known texts; a warning names the pattern. */
                    trap: number;
                };
                /** @description Links that were not followed, by reason, each occurrence. */
                dropped: {
                    /** @description Links that leave the scope. */
                    outOfScope: number;
                    /** @description Links that `include` and `exclude` leave out. */
                    excluded: number;
                    /** @description Links deeper than `maxDepth`. */
                    depth: number;
                    /** @description Links that the page asks not to follow. */
                    nofollow: number;
                    /** @description Links that look endless: too long, with repeating parts, or of a pattern that a warning names. */
                    trap: number;
                    /** @description Links beyond what a crawl of this `limit` remembers. */
                    frontierFull: number;
                };
                /**
                 * @description The limit that ended the crawl before all known pages were fetched.
                 * @enum {string}
                 */
                stoppedBy?: "limit" | "credits" | "duration";
                /** @description The crawl that pages are compared with, if there is one. */
                since?: string;
                changes?: {
                    /** @description Pages that the crawl before did not have. */
                    new: number;
                    /** @description Pages with other content. */
                    changed: number;
                    /** @description Pages with the same content. */
                    unchanged: number;
                    /** @description Pages that answer 404 or 410 now. */
                    gone: number;
                    /** @description Of the changed and unchanged ones, pages that still answer, but that no link or sitemap leads to any more. */
                    unlinked: number;
                };
                warnings?: {
                    /** @enum {string} */
                    code: "ROBOTS_UNREACHABLE" | "CRAWL_DELAY_CAPPED" | "SITEMAP_NOT_READ" | "SITEMAP_TRUNCATED" | "LINKS_TRUNCATED" | "TOO_MANY_HOSTS" | "FRONTIER_FULL" | "ENDLESS_LINKS" | "PATTERN_FULL" | "PATTERN_CLOSED" | "PATTERN_UNMATCHED";
                    message: string;
                }[];
            };
            changes?: {
                /** @description Records that no earlier run had. */
                added: number;
                /** @description Records that are no longer there. */
                removed: number;
                /** @description Records with other values. */
                changed: number;
            };
            /** @description Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT). */
            warnings?: {
                /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                field?: string;
                /**
                 * @description Kind of the remark; more kinds may be added.
                 * @enum {string}
                 */
                code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                message: string;
                /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                characters?: number;
            }[];
            /** @description The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed. */
            dataset?: {
                name: string;
                /** @description Revision before the first change of the job. */
                from?: number;
                /** @description Revision when the job finished. */
                to?: number;
            };
            sink?: components["schemas"]["SinkOptions"];
            /** @description The schedule that started this job. */
            scheduleId?: string;
            /** @description The job that this one scrapes again. */
            rerunOf?: string;
            /** @description The job whose snapshots this one extracts from, without fetching the pages. */
            extractOf?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /**
             * Format: date-time
             * @description Time at which the job finished: its state and its counters do not change any more.
             */
            completedAt?: string;
            /** @description True when the run found a difference: a value or record that the runs before had differently, or a page that nothing leads to any more. Null when there is nothing to compare. */
            changed: boolean | null;
        };
        Sink: {
            /** @description For `sink.name` of jobs, crawls and schedules. */
            name: string;
        };
        Dataset: {
            name: string;
            /** @description The fields of the key; none if it is the URL of the page. */
            key: string[];
            /** @description Records that are there. */
            records: number;
            /** @description Records that were there and are gone. */
            gone: number;
            /** @description Size of all records as JSON. */
            bytes: number;
            /** @description Revision of the last change: the end of the feed. It never falls, not even when the dataset is deleted and created again. */
            revision: number;
            /** @description Dotted paths of the values that records have had, in the order in which they came up: the columns of its CSV and Parquet. */
            columns: string[];
            /** Format: date-time */
            createdAt: string;
            changedAt: string | null;
        };
        DatasetRecord: {
            revision: number;
            /**
             * @description `upsert`: the record is there as shown. `gone`: it is not there any more; `record` is what it was last.
             * @enum {string}
             */
            op: "upsert" | "gone";
            /** @description One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`. */
            record: {
                [key: string]: unknown;
            };
            /** @description The page that it was found on. */
            url: string;
            /** @description The job that made the change. */
            jobId: string;
            /**
             * Format: date-time
             * @description Time of the change.
             */
            changedAt: string;
            /** @description The value of the key as text; of several fields, a JSON array of their texts. */
            key: string;
            /** Format: date-time */
            firstSeen: string;
            /**
             * Format: date-time
             * @description Time at which it was last found; within a day, if it did not change.
             */
            lastSeen: string;
        };
        RecordVersion: {
            revision: number;
            /**
             * @description `upsert`: the record is there as shown. `gone`: it is not there any more; `record` is what it was last.
             * @enum {string}
             */
            op: "upsert" | "gone";
            /** @description One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`. */
            record: {
                [key: string]: unknown;
            };
            /** @description The page that it was found on. */
            url: string;
            /** @description The job that made the change. */
            jobId: string;
            /**
             * Format: date-time
             * @description Time of the change.
             */
            changedAt: string;
        };
        Recipe: {
            /** @example rec_01jd8x0000000000000000000 */
            id: string;
            /** @description Counts the changes; `rec_…@3` names the third. */
            version: number;
            /**
             * @description Unique among the recipes of the account.
             * @example Books
             */
            name: string;
            /**
             * @description Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone.
             * @example [
             *       "https://shop.example/books/*"
             *     ]
             */
            match: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the version was made.
             */
            updatedAt: string;
            /** @description Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions. */
            options: {
                /**
                 * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                 * @example {
                 *       "title": "h1",
                 *       "prices": ".price::text::all"
                 *     }
                 */
                selectors?: {
                    [key: string]: components["schemas"]["Selector"];
                };
                /**
                 * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                 * @example [
                 *       "markdown",
                 *       "metadata"
                 *     ]
                 * @example [
                 *       {
                 *         "type": "markdown",
                 *         "main": true
                 *       },
                 *       "metadata"
                 *     ]
                 */
                formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                    /**
                     * @description Name of the format.
                     * @enum {string}
                     */
                    type: "markdown" | "links" | "images" | "text" | "html";
                    /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                    main?: boolean;
                    /**
                     * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                     * @example main, .post
                     */
                    include?: string;
                    /**
                     * @description CSS selector list of elements to leave out, whatever else says.
                     * @example .ads, .share
                     */
                    exclude?: string;
                    /**
                     * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                     * @enum {string}
                     */
                    hidden?: "keep" | "drop" | "mark";
                } | {
                    /** @constant */
                    type: "article";
                    /**
                     * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                     * @enum {string}
                     */
                    hidden?: "keep" | "drop" | "mark";
                })[];
                /**
                 * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
                 * @example {
                 *       "schema": {
                 *         "type": "object",
                 *         "properties": {
                 *           "title": {
                 *             "type": "string"
                 *           },
                 *           "price": {
                 *             "type": "number"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                extract?: {
                    /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                    schema: {
                        [key: string]: unknown;
                    };
                    /** @description What the model is told besides the schema. */
                    prompt?: string;
                    /**
                     * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                     * @enum {string}
                     */
                    evidence?: "required" | "report";
                    /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                    maxCredits?: number;
                };
                /**
                 * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                 * @example de
                 */
                locale?: string;
                /**
                 * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
                 * @enum {unknown}
                 */
                render?: true | false | "auto";
                /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
                antiBot?: boolean;
                /**
                 * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
                 * @example us
                 */
                proxy?: string;
                /**
                 * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                 * @example [
                 *       {
                 *         "fill": "#q",
                 *         "value": "kettle"
                 *       },
                 *       {
                 *         "press": "Enter"
                 *       },
                 *       {
                 *         "waitFor": ".results"
                 *       }
                 *     ]
                 * @example [
                 *       {
                 *         "repeat": [
                 *           {
                 *             "click": "a.more"
                 *           }
                 *         ],
                 *         "times": 20
                 *       }
                 *     ]
                 */
                actions?: components["schemas"]["Action"][];
                /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
                waitFor?: string | number;
                /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
                screenshot?: boolean | {
                    /** @description The whole page, however long, or only what the window shows first. Default true. */
                    fullPage?: boolean;
                    /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                    selector?: string;
                    /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                    viewport?: {
                        width: number;
                        height: number;
                        /** @description Pixels of the image for each CSS pixel. Default 1. */
                        scale?: number;
                    };
                    /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                    mobile?: boolean;
                    /**
                     * @description Default png.
                     * @enum {string}
                     */
                    format?: "png" | "jpeg" | "webp";
                    /** @description Of a JPEG or WebP image. Default 80. */
                    quality?: number;
                };
                /**
                 * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
                 * @enum {string}
                 */
                overlays?: "keep" | "hide" | "accept" | "reject";
                /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
                frames?: boolean;
                /**
                 * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
                 * @example {
                 *       "offers": {
                 *         "url": "**\/api/offers*",
                 *         "wait": 1
                 *       }
                 *     }
                 */
                capture?: {
                    [key: string]: {
                        /**
                         * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                         * @example /books/**
                         * @example {
                         *       "regex": "/p/[0-9]+$"
                         *     }
                         */
                        url: string | {
                            regex: string;
                        };
                        /**
                         * @description Only requests with this method. Default: any.
                         * @enum {string}
                         */
                        method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                        types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                        /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                        wait?: number;
                        /** @description Number of responses that are kept, the first ones. Default 20. */
                        limit?: number;
                    };
                };
                /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
                pdf?: {
                    /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                    maxPages?: number;
                };
                /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
                download?: boolean;
                /**
                 * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
                 * @enum {string}
                 */
                onSuspect?: "keep" | "fail";
                /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
                snapshot?: boolean;
                /**
                 * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
                 * @example 3600000
                 */
                maxAge?: number;
                /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
                freshContext?: boolean;
                /**
                 * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
                 * @example {
                 *       "Accept-Language": "de"
                 *     }
                 */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
                 * @example prof_01jd8x0000000000000000000
                 */
                profile?: string | {
                    id: string;
                    /** @description Store what the page leaves in the session. Default true. */
                    save?: boolean;
                };
                /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
                timeout?: number;
            };
            tests: {
                /**
                 * @description Unique among the tests of the recipe.
                 * @example a book
                 */
                name: string;
                /**
                 * @description Kind of the document. Default html.
                 * @enum {string}
                 */
                kind?: "html" | "xml" | "json" | "text";
                /**
                 * @description The address of the page, with http or https, to which its links are relative. It is not fetched.
                 * @example https://shop.example/books/dracula
                 */
                url?: string;
                /** @description Encoding in which the page was sent, which its links keep. Default utf-8. */
                encoding?: string;
                /**
                 * @description The values that the page has, by their paths in `data`: `price.amount`, `books.0.title`, `books.length`; those of formats by `formats.markdown`. Each must be equal, whatever the order of the fields in it.
                 * @example {
                 *       "title": "Dracula",
                 *       "price.amount": 8.49,
                 *       "tags.length": 3
                 *     }
                 */
                expect: {
                    [key: string]: unknown;
                };
                /**
                 * @description The kind of page that it must be taken for. Without it, any will do.
                 * @enum {string}
                 */
                verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
                /** @description SHA-256 of the text of the page, for `GET /v1/recipes/pages/{sha256}`. */
                page: string;
                /** @description Size of the page in UTF-8. */
                bytes: number;
            }[];
            /** @description Outcome of the last run of all its tests; absent if none has run since it was changed. */
            tested?: {
                passed: number;
                failed: number;
                /** Format: date-time */
                at: string;
            };
        };
        RecipeSummary: {
            /** @example rec_01jd8x0000000000000000000 */
            id: string;
            /** @description Counts the changes; `rec_…@3` names the third. */
            version: number;
            /**
             * @description Unique among the recipes of the account.
             * @example Books
             */
            name: string;
            /**
             * @description Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone.
             * @example [
             *       "https://shop.example/books/*"
             *     ]
             */
            match: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the version was made.
             */
            updatedAt: string;
            /** @description Number of tests. */
            tests: number;
            /** @description Outcome of the last run of all its tests; absent if none has run since it was changed. */
            tested?: {
                passed: number;
                failed: number;
                /** Format: date-time */
                at: string;
            };
        };
        RecipePage: {
            sha256: string;
            /** @description Size in UTF-8. */
            bytes: number;
        };
        TestResult: {
            name: string;
            passed: boolean;
            /**
             * @description The kind of page that it was taken for.
             * @enum {string}
             */
            verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            differences: {
                /** @description Path of the value, or `verdict`. */
                path: string;
                /** @description The expected value as JSON, its beginning if it is long. */
                expected: string;
                /** @description The value as JSON, its beginning if it is long; absent if the selector finds no value. */
                actual?: string;
            }[];
            error?: {
                /** @enum {string} */
                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                message: string;
                suggestion: string;
                /** @enum {string} */
                source: "api" | "target";
                details?: {
                    path: string;
                    message: string;
                }[];
                retryAfterSeconds?: number;
                /** @description HTTP status that the target answered with, if it answered. */
                targetStatusCode?: number;
                /** @description Attempts at the target page, oldest first. */
                attempts?: {
                    /** @enum {string} */
                    engine: "http" | "browser";
                    /**
                     * @description The proxy, by its country and its place in the pool.
                     * @example us-2
                     */
                    proxy?: string;
                    statusCode?: number;
                    /** @description `success`, or the error code that ended the attempt. */
                    outcome: string;
                    durationMs: number;
                }[];
                /**
                 * @description Kind of the page that was read, if the error is about its content; see `metadata.verdict`.
                 * @enum {string}
                 */
                verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
            };
            /** @description Milliseconds that the test took. */
            duration: number;
        };
        /** @description A session in the form of Playwright’s `storageState`: cookies, and the `localStorage` and IndexedDB of origins. At most 256 KiB. */
        StorageState: {
            cookies: {
                /** @description May be empty: a cookie without a name is its value. */
                name: string;
                value: string;
                /** @description The host that gets the cookie; with a leading dot, its subdomains get it, too. */
                domain: string;
                path?: string;
                /** @description Seconds since 1970; -1 for a cookie that ends with the session. */
                expires?: number;
                httpOnly?: boolean;
                secure?: boolean;
                /** @enum {string} */
                sameSite?: "Strict" | "Lax" | "None";
                /** @description Of a cookie with `Partitioned`: the site of the outermost document in which it is sent, such as "https://shop.example". */
                partitionKey?: string;
                /** @description False if a document of that site itself set it, not a frame of another one. */
                _crHasCrossSiteAncestor?: boolean;
            }[];
            origins: {
                origin: string;
                localStorage: {
                    name: string;
                    value: string;
                }[];
                /** @description The databases of IndexedDB, as Playwright’s `storageState({ indexedDB: true })` returns them. */
                indexedDB?: {
                    name: string;
                    version: number;
                    stores: {
                        name: string;
                        keyPath?: string;
                        keyPathArray?: string[];
                        autoIncrement: boolean;
                        records: {
                            /** @description Absent where the value contains it. */
                            key?: unknown;
                            /** @description Instead of `key`, one that JSON has no form for. */
                            keyEncoded?: unknown;
                            value?: unknown;
                            /** @description Instead of `value`, one that JSON has no form for, as Playwright encodes it: dates, bytes, maps. */
                            valueEncoded?: unknown;
                        }[];
                        indexes: {
                            name: string;
                            keyPath?: string;
                            keyPathArray?: string[];
                            multiEntry: boolean;
                            unique: boolean;
                        }[];
                    }[];
                }[];
            }[];
        };
        Profile: {
            /** @example prof_01jd8x0000000000000000000 */
            id: string;
            name: string;
            /**
             * @description `ready`: signed in. `signing-in`: a login is under way, and pages wait for it. `failed`: the login failed, and is not tried again by itself. `expired`: signed out.
             * @enum {string}
             */
            status: "ready" | "signing-in" | "failed" | "expired";
            /** @description How to sign in: the `actions` are done on the page at `url`, and the page that they lead to must pass `check`, as every page that is scraped must. Without `actions` a session is renewed by uploading another `storageState`. */
            login?: {
                /**
                 * @description The page with the form.
                 * @example https://shop.example/login
                 */
                url: string;
                /**
                 * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                 * @example [
                 *       {
                 *         "fill": "#q",
                 *         "value": "kettle"
                 *       },
                 *       {
                 *         "press": "Enter"
                 *       },
                 *       {
                 *         "waitFor": ".results"
                 *       }
                 *     ]
                 * @example [
                 *       {
                 *         "repeat": [
                 *           {
                 *             "click": "a.more"
                 *           }
                 *         ],
                 *         "times": 20
                 *       }
                 *     ]
                 */
                actions?: components["schemas"]["Action"][];
                /** @description Sign of a page that is signed in, looked for on every page: a selector that matches (`present`) or does not (`absent`), or a pattern of the final URL (`url`). */
                check: {
                    /**
                     * @description A CSS selector that matches something on every page.
                     * @example .account
                     */
                    present: string;
                } | {
                    /**
                     * @description A CSS selector that matches nothing on any page.
                     * @example form.login
                     */
                    absent: string;
                } | {
                    /**
                     * @description A pattern of path and query, or of the whole URL if it begins with http, that each final URL matches.
                     * @example /account/**
                     */
                    url: string;
                };
            };
            proxy: string | null;
            ttl: number | null;
            /** @description Start of the present session, or of the last one. */
            signedInAt: string | null;
            /** @description End of the session by `ttl`. */
            expiresAt: string | null;
            /** @description Error of the last login. */
            lastError?: {
                /** @enum {string} */
                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                message: string;
            };
            /** @description Number of sessions so far: logins, and states that were uploaded. */
            logins: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Delivery: {
            /** @example del_01jd8x0000000000000000000 */
            id: string;
            /** @description The `webhook-id`, the same for every attempt. */
            eventId: string;
            /** @enum {string} */
            type: "job.started" | "job.pages" | "job.completed" | "job.partial" | "job.failed" | "job.cancelled" | "job.changed" | "dataset.changed" | "schedule.changed" | "schedule.drift" | "schedule.recovered" | "profile.expired" | "profile.failed" | "webhook.test" | "rule.matched" | "channel.test" | "sink.write";
            jobId?: string;
            scheduleId?: string;
            /** @description The channel of a message. */
            channelId?: string;
            /** @description The batch of results that a `job.pages` carries. */
            batch?: number;
            /** @description The endpoint; of a channel, its address as it is shown; of a sink, its name and the folder, as in `sink://lake/jobs/2026-11-28/job_01jd8x0000000000000000000/`. */
            url: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "gone";
            /** @description The latest attempts, oldest first. */
            attempts: {
                /** Format: date-time */
                at: string;
                durationMs: number;
                /** @description HTTP status of the endpoint, if it answered; of an email, the reply code of its server. */
                statusCode?: number;
                /** @description Reason why the attempt failed; absent when it succeeded. */
                error?: string;
                /** @description Beginning of the response body of a failed attempt. */
                response?: string;
            }[];
            attemptCount: number;
            nextAttemptAt: string | null;
            /** @description Reason why there are no more attempts. */
            reason?: string;
            /** Format: date-time */
            createdAt: string;
            endedAt: string | null;
        };
        FieldFall: {
            /** @description Dotted name of the field: `price`, `books.price`; of a rule of a crawl, `rules.1.price`. */
            path: string;
            /**
             * @description The measure that fell.
             * @enum {string}
             */
            measure: "fill" | "count" | "conversion" | "shape";
            /** @description Median of the runs before, or the bound of `expect`. */
            before: number;
            now: number;
        };
        /** @description A result that is larger than an event may be; `resultsUrl` has it. */
        OmittedResult: {
            url: string;
            /** @constant */
            resultTruncated: true;
            resultsUrl: string;
        };
        /** @description A job with its results. */
        EventJob: {
            /** @example job_01jd8x0000000000000000000 */
            id: string;
            name: string;
            /**
             * @description Hosts of its URLs, of a crawl those of its start URLs; the first five.
             * @example [
             *       "shop.example"
             *     ]
             */
            hosts?: string[];
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "partial" | "failed" | "cancelled";
            /** @description URLs of the job; of a crawl, those known so far. */
            totalUrls: number;
            /** @description URLs processed so far, failed ones included. */
            completedUrls: number;
            /** @description URLs that failed. */
            failedUrls: number;
            creditsUsed: number;
            /**
             * @description Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs.
             * @example {
             *       "content": 940,
             *       "login": 60
             *     }
             */
            verdicts?: {
                content?: number;
                wall?: number;
                login?: number;
                consent?: number;
                notFound?: number;
                shell?: number;
                empty?: number;
                notice?: number;
            };
            crawl?: {
                /** @description Pages that were fetched, failed ones included. */
                fetched: number;
                /** @description Pages with a result, failed ones included: the fetched ones but those that were only followed. */
                results: number;
                /** @description Pages that are known and wait. */
                waiting: number;
                /** @description Pages on a scraper. */
                running: number;
                /** @description The greatest depth of a page that was fetched. */
                depth: number;
                /** @description Hosts of the crawl. */
                hosts: number;
                /** @description Of the fetched ones, linked pages that answered 404 or 410; they do not count as failed. */
                notFound: number;
                /** @description Pages without a result and without a charge, by reason. */
                skipped: {
                    /** @description robots.txt disallows them. */
                    robots: number;
                    /** @description A limit of the crawl was reached before; see `stoppedBy`. */
                    limit: number;
                    /** @description They redirect to another URL, which is crawled if it is in scope. */
                    redirect: number;
                    /** @description They are images, archives or other files without text. */
                    notDocument: number;
                    /** @description They have the text of the page that they name as their canonical one. */
                    duplicate: number;
                    /** @description Most pages with URLs like theirs had known texts; a warning names the pattern. */
                    trap: number;
                };
                /** @description Links that were not followed, by reason, each occurrence. */
                dropped: {
                    /** @description Links that leave the scope. */
                    outOfScope: number;
                    /** @description Links that `include` and `exclude` leave out. */
                    excluded: number;
                    /** @description Links deeper than `maxDepth`. */
                    depth: number;
                    /** @description Links that the page asks not to follow. */
                    nofollow: number;
                    /** @description Links that look endless: too long, with repeating parts, or of a pattern that a warning names. */
                    trap: number;
                    /** @description Links beyond what a crawl of this `limit` remembers. */
                    frontierFull: number;
                };
                /**
                 * @description The limit that ended the crawl before all known pages were fetched.
                 * @enum {string}
                 */
                stoppedBy?: "limit" | "credits" | "duration";
                /** @description The crawl that pages are compared with, if there is one. */
                since?: string;
                changes?: {
                    /** @description Pages that the crawl before did not have. */
                    new: number;
                    /** @description Pages with other content. */
                    changed: number;
                    /** @description Pages with the same content. */
                    unchanged: number;
                    /** @description Pages that answer 404 or 410 now. */
                    gone: number;
                    /** @description Of the changed and unchanged ones, pages that still answer, but that no link or sitemap leads to any more. */
                    unlinked: number;
                };
                warnings?: {
                    /** @enum {string} */
                    code: "ROBOTS_UNREACHABLE" | "CRAWL_DELAY_CAPPED" | "SITEMAP_NOT_READ" | "SITEMAP_TRUNCATED" | "LINKS_TRUNCATED" | "TOO_MANY_HOSTS" | "FRONTIER_FULL" | "ENDLESS_LINKS" | "PATTERN_FULL" | "PATTERN_CLOSED" | "PATTERN_UNMATCHED";
                    message: string;
                }[];
            };
            changes?: {
                /** @description Records that no earlier run had. */
                added: number;
                /** @description Records that are no longer there. */
                removed: number;
                /** @description Records with other values. */
                changed: number;
            };
            /** @description Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT). */
            warnings?: {
                /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                field?: string;
                /**
                 * @description Kind of the remark; more kinds may be added.
                 * @enum {string}
                 */
                code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                message: string;
                /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                characters?: number;
            }[];
            /** @description The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed. */
            dataset?: {
                name: string;
                /** @description Revision before the first change of the job. */
                from?: number;
                /** @description Revision when the job finished. */
                to?: number;
            };
            sink?: components["schemas"]["SinkOptions"];
            /** @description The schedule that started this job. */
            scheduleId?: string;
            /** @description The job that this one scrapes again. */
            rerunOf?: string;
            /** @description The job whose snapshots this one extracts from, without fetching the pages. */
            extractOf?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /**
             * Format: date-time
             * @description Time at which the job finished: its state and its counters do not change any more.
             */
            completedAt?: string;
            /** @description In the order of the URLs of the job. */
            results: (components["schemas"]["PageResult"] | components["schemas"]["OmittedResult"])[];
            /**
             * @description The results are larger than an event may be; `resultsUrl` has all of them.
             * @constant
             */
            resultsTruncated?: true;
            resultsUrl?: string;
        };
        /** @description A record that a rule tells of. */
        MatchedRecord: {
            /** @description Text that it is matched by; of a page, its URL. */
            record: string;
            url: string;
            /** @constant */
            isRemoved?: true;
            values: {
                field: string;
                before?: string | number | boolean | null;
                after?: string | number | boolean | null;
            }[];
        };
        /** @description A job was started or has finished. */
        JobEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "job.started" | "job.completed" | "job.partial" | "job.failed" | "job.cancelled";
            /** Format: date-time */
            timestamp: string;
            /** @description The job. */
            data: {
                job: components["schemas"]["EventJob"];
                /** @description Number of batches that the results were sent in; of a finished job whose webhook names `job.pages`. */
                batches?: number;
                /** @description As given with the webhook; absent if none was given. */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /** @description A job has further results. */
        JobPagesEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "job.pages";
            /** Format: date-time */
            timestamp: string;
            /** @description The job with the results of one batch. */
            data: {
                /** @description The batch that the results are. */
                batch: {
                    /** @description From 1 without gaps, in the order of the results. */
                    number: number;
                    /** @description A large batch comes in parts, each an event of its own. */
                    part: number;
                    isLastPart: boolean;
                };
                job: components["schemas"]["EventJob"];
                /** @description As given with the webhook; absent if none was given. */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /** @description A crawl, or a run of a schedule, has found a difference. */
        ChangesEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "job.changed" | "schedule.changed";
            /** Format: date-time */
            timestamp: string;
            /** @description The job and what it found changed. */
            data: {
                job: components["schemas"]["Job"];
                changes: components["schemas"]["Change"][];
                /**
                 * @description There are more changes; `changesUrl` has all of them.
                 * @constant
                 */
                changesTruncated?: true;
                changesUrl: string;
                /** @description As given with the webhook; absent if none was given. */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /** @description A job has ended that changed its dataset. */
        DatasetEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "dataset.changed";
            /** Format: date-time */
            timestamp: string;
            /** @description The job and its dataset. */
            data: {
                job: components["schemas"]["Job"];
                /** @description The revisions after `from` up to `to` are new; `recordsUrl` has their records. */
                dataset: {
                    name: string;
                    from: number;
                    to: number;
                    recordsUrl: string;
                };
                /** @description As given with the webhook; absent if none was given. */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /** @description Fields of a schedule return less than half of what they used to, or are back. */
        HealthEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "schedule.drift" | "schedule.recovered";
            /** Format: date-time */
            timestamp: string;
            /** @description The run, the health of its schedule, and the fields that fell or recovered. */
            data: {
                job: components["schemas"]["Job"];
                /**
                 * @description `drifting` when a field has returned less than half of what it used to in two runs in a row, `broken` when such a field returned nothing in the last run, else `ok`. Only pages of the verdict `content` count. `GET /v1/schedules/{id}/health` has the fields.
                 * @enum {string}
                 */
                health: "ok" | "drifting" | "broken";
                fields: components["schemas"]["FieldFall"][];
                healthUrl: string;
                /** @description As given with the webhook; absent if none was given. */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /** @description A job has ended because its profile is signed out, or could not be signed in. */
        ProfileEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "profile.expired" | "profile.failed";
            /** Format: date-time */
            timestamp: string;
            /** @description The job and its profile. */
            data: {
                job: components["schemas"]["Job"];
                /** @description The profile. */
                profile: {
                    /** @example prof_01jd8x0000000000000000000 */
                    id: string;
                    name: string;
                    /**
                     * @description `ready`: signed in. `signing-in`: a login is under way, and pages wait for it. `failed`: the login failed, and is not tried again by itself. `expired`: signed out.
                     * @enum {string}
                     */
                    status: "ready" | "signing-in" | "failed" | "expired";
                    /** @description Error of the last login. */
                    lastError?: {
                        /** @enum {string} */
                        code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                        message: string;
                    };
                };
                /** @description As given with the webhook; absent if none was given. */
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        /** @description Someone tests the endpoint. */
        WebhookTestEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "webhook.test";
            /** Format: date-time */
            timestamp: string;
            /** @description A text. */
            data: {
                message: string;
            };
        };
        /** @description A rule of a schedule has become true; sent to channels. */
        RuleEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "rule.matched";
            /** Format: date-time */
            timestamp: string;
            /** @description A message for people, and the records that it tells of. */
            data: {
                /** @description One line for people. */
                title: string;
                /** @description A line for each record. */
                text: string;
                /** @description The run in the console. */
                link?: string;
                /** @description Name of the rule. */
                rule: string;
                /** @description The schedule of the rule. */
                schedule: {
                    id: string;
                    name: string;
                };
                /** @description The run. */
                jobId: string;
                /** @description Absent if they are too large for a message. */
                records?: components["schemas"]["MatchedRecord"][];
                /** @description Number of further records. */
                more?: number;
            };
        };
        /** @description Someone tests a channel. */
        ChannelTestEvent: {
            /**
             * @description The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.
             * @example evt_01jd8x0000000000000000000
             */
            id: string;
            /** @enum {string} */
            type: "channel.test";
            /** Format: date-time */
            timestamp: string;
            /** @description A message for people. */
            data: {
                title: string;
                text: string;
            };
        };
        /** @description Body of a webhook; what `data` holds follows from `type`. */
        WebhookEvent: components["schemas"]["JobEvent"] | components["schemas"]["JobPagesEvent"] | components["schemas"]["ChangesEvent"] | components["schemas"]["DatasetEvent"] | components["schemas"]["HealthEvent"] | components["schemas"]["ProfileEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["RuleEvent"] | components["schemas"]["ChannelTestEvent"];
        CreateChannelRequest: {
            /**
             * @description Which of the other fields it has follows from it.
             * @enum {string}
             */
            type: "webhook" | "email" | "slack" | "discord" | "teams" | "telegram" | "ntfy" | "apprise";
            /**
             * @description Name by which people know the channel.
             * @example Buyers
             */
            name: string;
            /**
             * @description Of `webhook`: the endpoint. Of `slack`, `discord` and `teams`: the address of an incoming webhook.
             * @example https://hooks.example.com/T000/B000
             */
            url?: string;
            /**
             * @description Of `email`: the recipients.
             * @example [
             *       "ann@example.com"
             *     ]
             */
            to?: string[];
            /** @description Of `telegram`: the token of the bot. Of `ntfy`, optional: an access token. */
            token?: string;
            /**
             * @description Of `telegram`: the chat.
             * @example @prices
             */
            chat?: string;
            /** @description Of `ntfy`: the topic. */
            topic?: string;
            /** @description Of `ntfy` and `telegram`, optional: a server of your own. Default https://ntfy.sh and https://api.telegram.org. */
            server?: string;
            /** @description Of `apprise`: the key of a configuration that the operator's Apprise keeps. */
            key?: string;
            /** @description Of `apprise`, optional: the tags of that configuration to notify. */
            tag?: string;
        };
        Channel: {
            /** @example chn_01jd8x0000000000000000000 */
            id: string;
            /**
             * @description Which of the other fields it has follows from it.
             * @enum {string}
             */
            type: "webhook" | "email" | "slack" | "discord" | "teams" | "telegram" | "ntfy" | "apprise";
            /**
             * @description Name by which people know the channel.
             * @example Buyers
             */
            name: string;
            /**
             * @description Where it leads; parts that hold a secret are cut.
             * @example https://hooks.slack.com/…
             */
            address: string;
            /**
             * @description `gone` when the endpoint answered 410 Gone: nothing is sent until the address is set again, or a test succeeds.
             * @enum {string}
             */
            status: "active" | "gone";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which it was last changed.
             */
            updatedAt: string;
        };
        Key: {
            /** @example key_01jd8x0000000000000000000 */
            id: string;
            name: string;
            /** @description Beginning of the key, to tell keys apart. */
            prefix: string;
            scopes: ("scrape" | "jobs" | "schedules" | "profiles" | "webhooks" | "usage" | "admin")[];
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            revokedAt: string | null;
            /** @description Time of the latest request with the key, or with a session of it; some seconds late. */
            lastUsedAt: string | null;
        };
        NewKey: {
            /** @example key_01jd8x0000000000000000000 */
            id: string;
            name: string;
            /** @description Beginning of the key, to tell keys apart. */
            prefix: string;
            scopes: ("scrape" | "jobs" | "schedules" | "profiles" | "webhooks" | "usage" | "admin")[];
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            revokedAt: string | null;
            /** @description Time of the latest request with the key, or with a session of it; some seconds late. */
            lastUsedAt: string | null;
            /**
             * @description The key itself; shown once.
             * @example gl_…
             */
            key: string;
        };
        Secret: {
            name: string;
            /**
             * @description Origins of the pages in whose fields the secret may be written. Without them, it is that of the URL that is scraped.
             * @example [
             *       "https://shop.example",
             *       "https://login.shop.example"
             *     ]
             */
            origins?: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the value was last set.
             */
            updatedAt: string;
        };
        Usage: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @description Credits charged in the period. */
            used: number;
            /** @description Credits held for running requests and jobs. */
            reserved: number;
            remaining: number | null;
            byDay: {
                /** Format: date */
                day: string;
                credits: number;
                requests: number;
            }[];
            /** @description Keyed by operation: scrape, map, page, and cached for pages that `maxAge` took instead of fetching them. */
            byOperation: {
                [key: string]: {
                    credits: number;
                    requests: number;
                };
            };
        };
        Trace: {
            /** @description For scrapes: as `X-Request-Id` named it. */
            requestId?: string;
            jobId?: string;
            /** @description Position of the URL in the job, from 0. */
            index?: number;
            url: string;
            /** @description `success` or the error code; of pages of jobs that have not finished, their state such as `waiting`. */
            state: string;
            /** @description The message of the error. */
            message?: string;
            /** @description For scrapes: from the arrival of the request to the end of the work. What its attempts did not take, it waited. */
            durationMs?: number;
            /** @description Oldest first. */
            attempts: {
                /** @enum {string} */
                engine: "http" | "browser";
                /**
                 * @description The proxy, by its country and its place in the pool.
                 * @example us-2
                 */
                proxy?: string;
                statusCode?: number;
                /** @description `success`, or the error code that ended the attempt. */
                outcome: string;
                durationMs: number;
                /** @description For pages of jobs: number of the attempt of the job, from 1. */
                round?: number;
                /**
                 * @description With `antiBot`: the rung of the ladder.
                 * @example plain
                 * @example chrome
                 * @example browser
                 */
                rung?: string;
                /** Format: date-time */
                startedAt?: string;
                stages?: {
                    /** @description Waiting for a free browser. */
                    browser?: number;
                    /** @description Preparing a browser tab: cookies, headers, disguise. */
                    prepare?: number;
                    /** @description Loading the page in the browser, until the document begins to arrive. */
                    load?: number;
                    /** @description Resolving the host name. */
                    dns?: number;
                    /** @description Opening the connection. */
                    connect?: number;
                    /** @description Waiting for the proxy to connect. */
                    proxy?: number;
                    /** @description Negotiating TLS. */
                    tls?: number;
                    /** @description Waiting for the first byte of the response. */
                    firstByte?: number;
                    /** @description Reading the body. */
                    body?: number;
                    /** @description Waiting before another request. */
                    backoff?: number;
                    /** @description Waiting until the page in the browser has settled. */
                    settle?: number;
                    /** @description Waiting for the site's own check of the browser. */
                    check?: number;
                    /** @description Dismissing the layers that ask for consent. */
                    overlays?: number;
                    /** @description Doing the steps of `actions`. */
                    actions?: number;
                    /** @description Waiting for what `waitFor` names. */
                    waitFor?: number;
                    /** @description Reading the page out of the browser. */
                    snapshot?: number;
                    /** @description Taking the screenshot. */
                    screenshot?: number;
                    /** @description Waiting for a turn to read the page. */
                    queue?: number;
                    /** @description Parsing the page. */
                    parse?: number;
                    /** @description Extracting the values. */
                    extract?: number;
                    /** @description Waiting for the model of the option `extract`, and checking its answer. */
                    model?: number;
                    /** @description Comparing the page with the answer to a path that does not exist. */
                    calibrate?: number;
                };
                /** @description The steps of `actions`, in order. */
                actions?: {
                    /** @description Position of the step in `actions`, from 0. */
                    index: number;
                    durationMs: number;
                    /** @description Of `repeat`: how often its steps were done. */
                    rounds?: number;
                    /** @description The URL of the page after the step, if it led to another one. */
                    url?: string;
                    /**
                     * @description The verb and its selector or key.
                     * @example click .more
                     */
                    step: string;
                    /** @enum {string} */
                    outcome: "done" | "skipped" | "failed";
                }[];
            }[];
            /** @description A command that requests the page as Gleaner did, without its secrets: cookies, credentials and proxies have to be filled in. */
            curl: string;
        };
        ErrorResponse: {
            /** @constant */
            success: false;
            error: {
                /** @enum {string} */
                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                /** @description The problem, and the field or resource concerned. */
                message: string;
                /** @description The next step to take. */
                suggestion: string;
                /** @description The first 100 errors; where there are more, a last entry has their number. */
                details?: {
                    /** @description Dotted path in the body or query; empty for the whole. */
                    path: string;
                    message: string;
                }[];
                /**
                 * @description Origin of the error: this service, or the target page.
                 * @enum {string}
                 */
                source: "api" | "target";
                /** @description HTTP status that the target answered with, if it answered. */
                targetStatusCode?: number;
                /** @description Attempts at the target page, oldest first; present when a scrape failed. */
                attempts?: {
                    /** @enum {string} */
                    engine: "http" | "browser";
                    /**
                     * @description The proxy, by its country and its place in the pool.
                     * @example us-2
                     */
                    proxy?: string;
                    statusCode?: number;
                    /** @description `success`, or the error code that ended the attempt. */
                    outcome: string;
                    durationMs: number;
                }[];
                /**
                 * @description Kind of the page that was read, if the error is about its content; see `metadata.verdict`.
                 * @enum {string}
                 */
                verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
                /** @description With `stepScreenshots`: the window after the steps of `actions`, 640 pixels wide. None of a document into which a secret was written. */
                stepScreenshots?: {
                    /** @description Position of the step in `actions`, from 0. */
                    index: number;
                    /** @description A JPEG. */
                    image: string;
                }[];
                requestId: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Selector = components['schemas']['Selector'];
export type Cookie = components['schemas']['Cookie'];
export type Action = components['schemas']['Action'];
export type ScrapeRequest = components['schemas']['ScrapeRequest'];
export type Verdict = components['schemas']['Verdict'];
export type ScrapeMetadata = components['schemas']['ScrapeMetadata'];
export type StoredFile = components['schemas']['StoredFile'];
export type ScrapeResponse = components['schemas']['ScrapeResponse'];
export type Webhook = components['schemas']['Webhook'];
export type DatasetOptions = components['schemas']['DatasetOptions'];
export type SinkOptions = components['schemas']['SinkOptions'];
export type CreateJobRequest = components['schemas']['CreateJobRequest'];
export type Change = components['schemas']['Change'];
export type Job = components['schemas']['Job'];
export type PageSuccess = components['schemas']['PageSuccess'];
export type PageFailure = components['schemas']['PageFailure'];
export type PageResult = components['schemas']['PageResult'];
export type JobWithResults = components['schemas']['JobWithResults'];
export type JobUrl = components['schemas']['JobUrl'];
export type SearchRequest = components['schemas']['SearchRequest'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchResponse = components['schemas']['SearchResponse'];
export type CreateScheduleRequest = components['schemas']['CreateScheduleRequest'];
export type SchedulePatch = components['schemas']['SchedulePatch'];
export type Rule = components['schemas']['Rule'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduleHealth = components['schemas']['ScheduleHealth'];
export type ScheduleFeed = components['schemas']['ScheduleFeed'];
export type PageDiff = components['schemas']['PageDiff'];
export type ScheduleDiff = components['schemas']['ScheduleDiff'];
export type Run = components['schemas']['Run'];
export type Sink = components['schemas']['Sink'];
export type Dataset = components['schemas']['Dataset'];
export type DatasetRecord = components['schemas']['DatasetRecord'];
export type RecordVersion = components['schemas']['RecordVersion'];
export type Recipe = components['schemas']['Recipe'];
export type RecipeSummary = components['schemas']['RecipeSummary'];
export type RecipePage = components['schemas']['RecipePage'];
export type TestResult = components['schemas']['TestResult'];
export type StorageState = components['schemas']['StorageState'];
export type Profile = components['schemas']['Profile'];
export type Delivery = components['schemas']['Delivery'];
export type FieldFall = components['schemas']['FieldFall'];
export type OmittedResult = components['schemas']['OmittedResult'];
export type EventJob = components['schemas']['EventJob'];
export type MatchedRecord = components['schemas']['MatchedRecord'];
export type JobEvent = components['schemas']['JobEvent'];
export type JobPagesEvent = components['schemas']['JobPagesEvent'];
export type ChangesEvent = components['schemas']['ChangesEvent'];
export type DatasetEvent = components['schemas']['DatasetEvent'];
export type HealthEvent = components['schemas']['HealthEvent'];
export type ProfileEvent = components['schemas']['ProfileEvent'];
export type WebhookTestEvent = components['schemas']['WebhookTestEvent'];
export type RuleEvent = components['schemas']['RuleEvent'];
export type ChannelTestEvent = components['schemas']['ChannelTestEvent'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type CreateChannelRequest = components['schemas']['CreateChannelRequest'];
export type Channel = components['schemas']['Channel'];
export type Key = components['schemas']['Key'];
export type NewKey = components['schemas']['NewKey'];
export type Secret = components['schemas']['Secret'];
export type Usage = components['schemas']['Usage'];
export type Trace = components['schemas']['Trace'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export interface operations {
    scrape: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/",
                 *       "selectors": {
                 *         "title": "h1",
                 *         "links": {
                 *           "selector": "a::attr(href)",
                 *           "all": true,
                 *           "type": "url"
                 *         }
                 *       },
                 *       "formats": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScrapeRequest"];
            };
        };
        responses: {
            /** @description Scrape one page and wait for its data */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeResponse"];
                };
            };
        };
    };
    extract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 20971520 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "html": "<h1>Kettle</h1> <a href=\"/kettles/2\">Another kettle</a>",
                 *       "url": "https://example.com/",
                 *       "selectors": {
                 *         "title": "h1",
                 *         "link": {
                 *           "selector": "a::attr(href)",
                 *           "type": "url"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The page, as HTML: at most 10485760 bytes in UTF-8.
                     * @example <h1>Kettle</h1>
                     */
                    html: string;
                    /**
                     * @description The address of the page, with http or https, to which its links are relative. It is not fetched. Without it, relative links are not resolved.
                     * @example https://example.com/
                     */
                    url?: string;
                    /**
                     * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                     * @example {
                     *       "title": "h1",
                     *       "prices": ".price::text::all"
                     *     }
                     */
                    selectors?: {
                        [key: string]: components["schemas"]["Selector"];
                    };
                    /**
                     * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                     * @example [
                     *       "markdown",
                     *       "metadata"
                     *     ]
                     * @example [
                     *       {
                     *         "type": "markdown",
                     *         "main": true
                     *       },
                     *       "metadata"
                     *     ]
                     */
                    formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                        /**
                         * @description Name of the format.
                         * @enum {string}
                         */
                        type: "markdown" | "links" | "images" | "text" | "html";
                        /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                        main?: boolean;
                        /**
                         * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                         * @example main, .post
                         */
                        include?: string;
                        /**
                         * @description CSS selector list of elements to leave out, whatever else says.
                         * @example .ads, .share
                         */
                        exclude?: string;
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    } | {
                        /** @constant */
                        type: "article";
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    })[];
                    /**
                     * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                     * @example de
                     */
                    locale?: string;
                    /**
                     * @description With `hide`, the formats `markdown`, `text` and `article` leave out the layers of known consent platforms. Default keep.
                     * @enum {string}
                     */
                    overlays?: "keep" | "hide";
                };
            };
        };
        responses: {
            /** @description Extract data from HTML that you send */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`. */
                        data?: {
                            [key: string]: unknown;
                        };
                        /** @description One entry per format of the request, by its name. */
                        formats?: {
                            /** @description The page as CommonMark with tables; links are absolute. */
                            markdown?: string;
                            /** @description The article of the page without navigation, comments and advertisements; null without one. */
                            article?: {
                                title: string | null;
                                byline: string | null;
                                publishedAt: string | null;
                                language: string | null;
                                excerpt: string | null;
                                /** @description The text of the article, with its heading. */
                                markdown: string;
                            } | null;
                            /** @description What the page says of itself. A text is null, and a list empty, where the page names none. */
                            metadata?: {
                                title: string | null;
                                description: string | null;
                                language: string | null;
                                author: string | null;
                                /** @description Number of pages; only of a PDF. */
                                pages?: number;
                                robots: string | null;
                                canonical: string | null;
                                feeds: {
                                    url: string;
                                    title: string | null;
                                    type: string | null;
                                }[];
                                icons: {
                                    url: string;
                                    sizes: string | null;
                                    type: string | null;
                                }[];
                                /** @description Values by property, such as `title` and `image`. */
                                openGraph: {
                                    [key: string]: unknown;
                                };
                                /** @description Values by property, such as `card`. */
                                twitter: {
                                    [key: string]: unknown;
                                };
                                /** @description The values of all JSON-LD scripts. */
                                jsonLd: unknown[];
                                microdata: {
                                    type: string[];
                                    id?: string;
                                    /** @description Lists of texts and items, by property. */
                                    properties: {
                                        [key: string]: unknown;
                                    };
                                }[];
                            };
                            /** @description The links of the page, absolute, each once. */
                            links?: {
                                url: string;
                                text: string | null;
                                rel: string | null;
                            }[];
                            /** @description The images of the page, absolute, each once, in order of appearance. The URL is that of the largest file. `alt`, `width` and `height` are null where the page gives none. */
                            images?: {
                                url: string;
                                alt: string | null;
                                width: number | null;
                                height: number | null;
                            }[];
                            /** @description The tables of data. `headers` is null for a table without a header. */
                            tables?: {
                                caption: string | null;
                                headers: (string | null)[] | null;
                                rows: (string | null)[][];
                            }[];
                            /** @description The readable text, each block on its own line. */
                            text?: string;
                            /** @description The document as browsers serialize it. */
                            html?: string;
                        };
                        metadata: {
                            /** @description The `url` of the request. */
                            url?: string;
                            /**
                             * Format: date-time
                             * @description Time at which the page was read.
                             */
                            timestamp: string;
                            /** @description Milliseconds that reading the page took. */
                            duration: number;
                            /**
                             * @description Nothing is fetched, so nothing is charged.
                             * @constant
                             */
                            credits: 0;
                            verdict: components["schemas"]["Verdict"];
                        };
                        warnings?: {
                            /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                            field?: string;
                            /**
                             * @description Kind of the remark; more kinds may be added.
                             * @enum {string}
                             */
                            code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                            message: string;
                            /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                            characters?: number;
                        }[];
                        /** @description The `X-Request-Id` of the response. */
                        requestId: string;
                    };
                };
            };
        };
    };
    map: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/",
                 *       "include": [
                 *         "/books/**"
                 *       ],
                 *       "limit": 1000
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The page to start at: an absolute http or https URL.
                     * @example https://example.com/
                     */
                    url: string;
                    /** @description Most URLs that are returned. Default 5000. */
                    limit?: number;
                    /**
                     * @description Pages whose links are read, each for one credit: none with 0, so that only sitemaps are read; the start page with 1; with 2, also the pages that it links to and those of the sitemaps. Default 1.
                     * @enum {integer}
                     */
                    depth?: 0 | 1 | 2;
                    /**
                     * @description Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.
                     * @enum {string}
                     */
                    scope?: "path" | "host" | "domain" | "any";
                    /**
                     * @description Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.
                     * @example [
                     *       "/books/**"
                     *     ]
                     */
                    include?: (string | {
                        regex: string;
                    })[];
                    /**
                     * @description URLs that match one of these are not crawled, whatever `include` says.
                     * @example [
                     *       "**?*add-to-cart=*"
                     *     ]
                     */
                    exclude?: (string | {
                        regex: string;
                    })[];
                    /**
                     * @description Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.
                     * @example [
                     *       "sort",
                     *       "view_*"
                     *     ]
                     */
                    ignoreQuery?: boolean | string[];
                    /**
                     * @description Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.
                     * @enum {string}
                     */
                    sitemap?: "skip" | "include" | "only";
                    /**
                     * @description Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.
                     * @enum {string}
                     */
                    robots?: "obey" | "ignore";
                    /**
                     * @description Words: only URLs that have one of them in the URL or in the text of a link are returned, the best first.
                     * @example returns policy
                     */
                    search?: string;
                    /** @description Most pages that are read, at one credit each. */
                    maxCredits?: number;
                    /** @description Milliseconds after which what was found is returned. Default 60000. */
                    timeout?: number;
                };
            };
        };
        responses: {
            /** @description List the URLs of a site */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The start page, then what was found, in the order in which it was found; with `search`, the best first. */
                        urls: {
                            url: string;
                            /** @description The page or sitemap that names it; absent for the start page. */
                            foundOn?: string;
                            /**
                             * Format: date-time
                             * @description Time of the last change, from the sitemap.
                             */
                            lastModified?: string;
                            /** @description Text of a link to it, or the title of the page if it was read. */
                            text?: string;
                        }[];
                        /** @description Everything that was read, in order. */
                        sources: {
                            /** @enum {string} */
                            kind: "robots" | "sitemap" | "page";
                            url: string;
                            /** @description Different URLs in it that belong to the map; of a robots.txt, the sitemaps that it names. */
                            found: number;
                            /** @description Links that `scope` leaves out. */
                            outOfScope?: number;
                            /** @description Links that `include` or `exclude` leave out. */
                            excluded?: number;
                            /** @description Links that the page asks not to follow. */
                            nofollow?: number;
                            /** @description Links that look endless. */
                            trap?: number;
                            /**
                             * @description What the page is instead of what was asked for.
                             * @enum {string}
                             */
                            verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
                            /** @description The page at which it was read instead. */
                            redirectsTo?: string;
                            /** @description Why some of its URLs are missing. */
                            cutBecause?: string;
                            /** @description Why it was not read. */
                            error?: {
                                /** @enum {string} */
                                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                                message: string;
                            };
                        }[];
                        /** @description True if everything was read that the options ask for and robots.txt allows, and nothing was left out. */
                        complete: boolean;
                        /**
                         * @description The bound that ended it: `limit`, `timeout` and `maxCredits` of the request; 500 `pages` or 200 `sitemaps`; or the site is `busy` and answers 429, 503 or too late.
                         * @enum {string}
                         */
                        stoppedBy?: "limit" | "timeout" | "maxCredits" | "pages" | "sitemaps" | "busy";
                        /** @description Present when nothing but the start page was found: why. */
                        reason?: string;
                        metadata: {
                            /** @description The requested URL. */
                            url: string;
                            /** @description Milliseconds from the request to the response. */
                            duration: number;
                            /** @description Credits charged: one for each page that was read. */
                            credits: number;
                        };
                        /** @description The `X-Request-Id` of the response. */
                        requestId: string;
                    };
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique to the job: 1 to 255 visible ASCII characters. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "book shop",
                 *       "limit": 5,
                 *       "scrape": {
                 *         "formats": [
                 *           "markdown"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description Search the web, and scrape what is found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            /** @description A job scrapes the results: there are more than ten of them. They have no `page` here. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
        };
    };
    getTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show where the time of a scrape went */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        trace: components["schemas"]["Trace"];
                    };
                };
            };
        };
    };
    extractSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "selectors": {
                 *         "title": "h1"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                     * @example {
                     *       "title": "h1",
                     *       "prices": ".price::text::all"
                     *     }
                     */
                    selectors?: {
                        [key: string]: components["schemas"]["Selector"];
                    };
                    /**
                     * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                     * @example [
                     *       "markdown",
                     *       "metadata"
                     *     ]
                     * @example [
                     *       {
                     *         "type": "markdown",
                     *         "main": true
                     *       },
                     *       "metadata"
                     *     ]
                     */
                    formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                        /**
                         * @description Name of the format.
                         * @enum {string}
                         */
                        type: "markdown" | "links" | "images" | "text" | "html";
                        /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                        main?: boolean;
                        /**
                         * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                         * @example main, .post
                         */
                        include?: string;
                        /**
                         * @description CSS selector list of elements to leave out, whatever else says.
                         * @example .ads, .share
                         */
                        exclude?: string;
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    } | {
                        /** @constant */
                        type: "article";
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    })[];
                    /**
                     * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                     * @example de
                     */
                    locale?: string;
                };
            };
        };
        responses: {
            /** @description Extract data from a snapshot, without fetching the page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`. */
                        data?: {
                            [key: string]: unknown;
                        };
                        /** @description One entry per format of the request, by its name. */
                        formats?: {
                            /** @description The page as CommonMark with tables; links are absolute. */
                            markdown?: string;
                            /** @description The article of the page without navigation, comments and advertisements; null without one. */
                            article?: {
                                title: string | null;
                                byline: string | null;
                                publishedAt: string | null;
                                language: string | null;
                                excerpt: string | null;
                                /** @description The text of the article, with its heading. */
                                markdown: string;
                            } | null;
                            /** @description What the page says of itself. A text is null, and a list empty, where the page names none. */
                            metadata?: {
                                title: string | null;
                                description: string | null;
                                language: string | null;
                                author: string | null;
                                /** @description Number of pages; only of a PDF. */
                                pages?: number;
                                robots: string | null;
                                canonical: string | null;
                                feeds: {
                                    url: string;
                                    title: string | null;
                                    type: string | null;
                                }[];
                                icons: {
                                    url: string;
                                    sizes: string | null;
                                    type: string | null;
                                }[];
                                /** @description Values by property, such as `title` and `image`. */
                                openGraph: {
                                    [key: string]: unknown;
                                };
                                /** @description Values by property, such as `card`. */
                                twitter: {
                                    [key: string]: unknown;
                                };
                                /** @description The values of all JSON-LD scripts. */
                                jsonLd: unknown[];
                                microdata: {
                                    type: string[];
                                    id?: string;
                                    /** @description Lists of texts and items, by property. */
                                    properties: {
                                        [key: string]: unknown;
                                    };
                                }[];
                            };
                            /** @description The links of the page, absolute, each once. */
                            links?: {
                                url: string;
                                text: string | null;
                                rel: string | null;
                            }[];
                            /** @description The images of the page, absolute, each once, in order of appearance. The URL is that of the largest file. `alt`, `width` and `height` are null where the page gives none. */
                            images?: {
                                url: string;
                                alt: string | null;
                                width: number | null;
                                height: number | null;
                            }[];
                            /** @description The tables of data. `headers` is null for a table without a header. */
                            tables?: {
                                caption: string | null;
                                headers: (string | null)[] | null;
                                rows: (string | null)[][];
                            }[];
                            /** @description The readable text, each block on its own line. */
                            text?: string;
                            /** @description The document as browsers serialize it. */
                            html?: string;
                        };
                        /** @description For each field by its dotted name, all elements that its selector matches, by their places in document order. */
                        matches: {
                            [key: string]: number[];
                        };
                        warnings?: {
                            /** @description Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page. */
                            field?: string;
                            /**
                             * @description Kind of the remark; more kinds may be added.
                             * @enum {string}
                             */
                            code: "SELECTOR_NO_MATCH" | "NOT_JSON" | "PATTERN_NO_MATCH" | "VALUE_NOT_CONVERTED" | "VALUE_AMBIGUOUS" | "VALUE_NOT_EXACT" | "CURRENCY_AMBIGUOUS" | "RECORD_LEFT_OUT" | "MAIN_NOT_FOUND" | "HIDDEN_TEXT" | "XML_NOT_WELL_FORMED" | "SNAPSHOT_NOT_KEPT" | "SCREENSHOT_NOT_TAKEN" | "OVERLAY_NOT_DISMISSED" | "FRAMES_LEFT_OUT" | "COLLECTION_CUT" | "PDF_CUT" | "PDF_WITHOUT_TEXT" | "PAGE_SUSPECT" | "RENDER_REMEMBERED" | "EXPECTATION_FAILED" | "VALUE_NOT_ON_PAGE" | "LLM_FAILED" | "KEY_MISSING" | "RECORD_TOO_LARGE" | "DATASET_FULL";
                            message: string;
                            /** @description Number of characters of hidden text; only with HIDDEN_TEXT. */
                            characters?: number;
                        }[];
                    };
                };
            };
        };
    };
    suggestSelectors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "one",
                 *       "picks": [
                 *         3
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description One element, a list of records, or a field inside the records of a list.
                     * @enum {string}
                     */
                    kind?: "one" | "list" | "field";
                    /** @description Elements to select; two are enough for a list. */
                    picks?: number[];
                    /** @description Elements that must not be selected. */
                    not?: number[];
                    /** @description For fields: the records, or one of them. */
                    within?: number[];
                    /** @description Ids of other snapshots of such pages; selectors that hold there come first. */
                    alsoOn?: string[];
                    /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                    schema?: {
                        [key: string]: unknown;
                    };
                    /** @description What the model is told besides the schema. */
                    prompt?: string;
                    /**
                     * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                     * @example de
                     */
                    locale?: string;
                    /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                    maxCredits?: number;
                };
            };
        };
        responses: {
            /** @description Propose selectors for elements of a snapshot, or for a schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description The most robust first; none for a schema. */
                        candidates: {
                            /** @enum {string} */
                            kind: "one" | "list" | "field";
                            /** @description CSS without a suffix; for fields, relative to the record. */
                            selector: string;
                            /** @description `text` or `attr(<name>)`. */
                            take: string;
                            /** @description Number of elements that match; for fields, of records with one. */
                            matches: number;
                            /** @description First values, shortened. */
                            values: string[];
                            /** @description From 0 to 1: expected to go on matching the same elements. */
                            score: number;
                            reasons: string[];
                            /** @description Share of the other snapshots, as in `4 of 5`. */
                            stableOn?: string;
                            columns?: {
                                name: string;
                                /** @description CSS relative to the record. */
                                selector: string;
                                take: string;
                                /** @description Share of the records that have a value, from 0 to 1. */
                                filled: number;
                                /** @description Number of different values. */
                                distinct: number;
                                values: string[];
                                /** @description True if the field takes the picked element. */
                                isPicked: boolean;
                            }[];
                        }[];
                        /** @description For a schema: selectors that give the values that the model has found, and their data. */
                        proposal?: {
                            /**
                             * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                             * @example {
                             *       "title": "h1",
                             *       "prices": ".price::text::all"
                             *     }
                             */
                            selectors: {
                                [key: string]: components["schemas"]["Selector"];
                            };
                            /** @description One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`. */
                            data: {
                                [key: string]: unknown;
                            };
                            /** @description Fields of the schema without a selector, each with the reason. */
                            unsolved: {
                                field: string;
                                message: string;
                            }[];
                            /** @description For each field, the share of the snapshots `alsoOn` on which it has a value, as in `4 of 5`. */
                            stableOn?: {
                                [key: string]: string;
                            };
                            /** @description The model that has found the fields of `extract`. */
                            llm: {
                                /** @description Name of the model. */
                                model: string;
                                /** @description Tokens that the model has read; 0 if cached. */
                                tokensIn: number;
                                /** @description Tokens that the model has written; 0 if cached. */
                                tokensOut: number;
                                /** @description True if the answer to the same page, schema and prompt was used again, which is free. */
                                cached: boolean;
                                /** @description Evidence of each value by its path in `data`, such as `books.0.title`. */
                                evidence: {
                                    [key: string]: {
                                        /** @description The part of the page that shows the value; null without one. */
                                        quote: string | null;
                                        /**
                                         * @description Whether the value is a part of the quote, is what a conversion makes of it, or does not stand on the page.
                                         * @enum {string}
                                         */
                                        status: "verbatim" | "converted" | "missing";
                                    };
                                };
                            };
                            /** @description What the model has cost. */
                            credits: number;
                        };
                    };
                };
            };
        };
    };
    viewSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Set by browsers. A page that is not in a frame has no script at all. */
                "sec-fetch-dest"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show a snapshot for a sandboxed frame */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier response; the response is 304 while the file is kept. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a file that was downloaded */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Only jobs in this state. */
                status?: "pending" | "running" | "completed" | "partial" | "failed" | "cancelled";
                /** @description Only runs of this schedule. */
                scheduleId?: string;
                /** @description Only jobs with a word of the name, or a host or its domain, that begins with each of these words (the first five). Case does not matter; of a URL, the host counts. */
                search?: string;
                /** @description Number of entries. Default 20. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the jobs of the account, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        jobs: components["schemas"]["Job"][];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique to the job: 1 to 255 visible ASCII characters. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10485760 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJobRequest"];
            };
        };
        responses: {
            /** @description Scrape many pages as a job */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        job: components["schemas"]["Job"];
                    };
                };
            };
        };
    };
    listSinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the sinks that jobs of the account may write to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        sinks: components["schemas"]["Sink"][];
                    };
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description Number of results. Default 1000. */
                resultsLimit?: number;
                /** @description Number of results to skip. Default 0. */
                resultsOffset?: number;
                /** @description Only results with this `change`, or those that are `unlinked`; for crawls with `since` or `changes`. */
                change?: "new" | "changed" | "unchanged" | "gone" | "unlinked";
                /** @description Only results of pages of these kinds, separated by commas: `login,wall`. URLs that failed have no kind, and neither have results that older versions stored. */
                verdict?: ("content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a job with its options and its results so far */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        job: components["schemas"]["JobWithResults"];
                    };
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancel a job that has not finished */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        job: components["schemas"]["Job"];
                    };
                };
            };
        };
    };
    getJobResults: {
        parameters: {
            query?: {
                /** @description Default: what `Accept` asks for, else json. */
                format?: "json" | "ndjson" | "csv" | "parquet";
                /** @description For CSV and Parquet: a field with several values, by its dotted path. Each of its entries becomes a row, which repeats the other columns of the page. */
                rows?: string;
                /** @description For CSV and Parquet: the columns in their order, separated by commas, such as `title,price.amount,url`. Without it: what was extracted, then `url`. */
                columns?: string;
                /** @description For CSV and Parquet: `all` has a row also for pages without a record, such as failed ones, and columns for their errors. Default records. */
                pages?: "records" | "all";
                /** @description Number of results to skip, to go on where a stream broke off. Default 0. */
                offset?: number;
                /** @description Only results with this `change`, or those that are `unlinked`; for crawls with `since` or `changes`. */
                change?: "new" | "changed" | "unchanged" | "gone" | "unlinked";
                /** @description Only results of pages of these kinds, separated by commas: `login,wall`. URLs that failed have no kind, and neither have results that older versions stored. */
                verdict?: ("content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice")[];
            };
            header?: {
                accept?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stream all results of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageResult"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    getJobChanges: {
        parameters: {
            query?: {
                /** @description Number of changes. Default 100. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what a run or a crawl found changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description Id of the run before; null when there is nothing to compare: of the first run, while the job runs, and of jobs that are neither runs nor crawls with `since`. */
                        comparedWith: string | null;
                        /** @description For each list of records, the field by which records were matched: the `key` of its selector, or one that was found. */
                        matchedBy: {
                            [key: string]: string;
                        };
                        counts: {
                            /** @description Records that no earlier run had. */
                            added: number;
                            /** @description Records that are no longer there. */
                            removed: number;
                            /** @description Records with other values. */
                            changed: number;
                        };
                        /** @description Number of further changes, which are not kept because there are too many. */
                        omitted: number;
                        /** @description Number of pages that are of another kind than before, such as a login instead of content. They say nothing, and the run before stays what they are compared with. */
                        notCompared: number;
                        changes: components["schemas"]["Change"][];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    getJobUrls: {
        parameters: {
            query?: {
                /** @description Only URLs in this state. */
                state?: "waiting" | "running" | "completed" | "failed" | "skipped" | "cancelled";
                /** @description Only this URL. In a list, every entry that is fetched as this URL; in a crawl, its page, however the URL is spelled, or the reason why it was not crawled. */
                url?: string;
                /** @description Only results of pages of these kinds, separated by commas: `login,wall`. URLs that failed have no kind, and neither have results that older versions stored. */
                verdict?: ("content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice")[];
            };
            header?: {
                accept?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stream the URLs of a job with their states */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobUrl"][];
                    "application/x-ndjson": string;
                };
            };
        };
    };
    getJobScreenshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier response; the response is 304 while it is unchanged. */
                "if-none-match"?: string;
            };
            path: {
                id: string;
                index: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the screenshot of one URL of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                };
            };
        };
    };
    getJobTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                index: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show where the time of a page of a job went */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        trace: components["schemas"]["Trace"];
                    };
                };
            };
        };
    };
    getJobEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` of the last event that was received. */
                "last-event-id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Follow the progress of a job as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Last-Event-ID names the last event: there are no more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rerunJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique to the job: 1 to 255 visible ASCII characters. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description `failed`: only the URLs that failed. Default: all URLs.
                     * @enum {string}
                     */
                    only?: "failed";
                };
            };
        };
        responses: {
            /** @description Scrape the URLs of a finished job again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        job: components["schemas"]["Job"];
                    };
                };
            };
        };
    };
    extractJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique to the job: 1 to 255 visible ASCII characters. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "selectors": {
                 *         "title": "h1",
                 *         "price": {
                 *           "selector": ".price",
                 *           "type": "price"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Default: the name of the job whose pages are used. */
                    name?: string;
                    /**
                     * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                     * @example {
                     *       "title": "h1",
                     *       "prices": ".price::text::all"
                     *     }
                     */
                    selectors?: {
                        [key: string]: components["schemas"]["Selector"];
                    };
                    /**
                     * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                     * @example [
                     *       "markdown",
                     *       "metadata"
                     *     ]
                     * @example [
                     *       {
                     *         "type": "markdown",
                     *         "main": true
                     *       },
                     *       "metadata"
                     *     ]
                     */
                    formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                        /**
                         * @description Name of the format.
                         * @enum {string}
                         */
                        type: "markdown" | "links" | "images" | "text" | "html";
                        /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                        main?: boolean;
                        /**
                         * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                         * @example main, .post
                         */
                        include?: string;
                        /**
                         * @description CSS selector list of elements to leave out, whatever else says.
                         * @example .ads, .share
                         */
                        exclude?: string;
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    } | {
                        /** @constant */
                        type: "article";
                        /**
                         * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                         * @enum {string}
                         */
                        hidden?: "keep" | "drop" | "mark";
                    })[];
                    /**
                     * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                     * @example de
                     */
                    locale?: string;
                    webhook?: components["schemas"]["Webhook"];
                };
            };
        };
        responses: {
            /** @description Extract other data from the pages that a finished job kept */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        job: components["schemas"]["Job"];
                    };
                };
            };
        };
    };
    listDatasets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the datasets of the account, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        datasets: components["schemas"]["Dataset"][];
                    };
                };
            };
        };
    };
    getDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a dataset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        dataset: components["schemas"]["Dataset"];
                    };
                };
            };
        };
    };
    deleteDataset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a dataset with all its records, permanently */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listRecords: {
        parameters: {
            query?: {
                /** @description The last revision that was read; 0 reads from the beginning. Default 0. */
                since?: number;
                /** @description Number of records. Default 100; csv, parquet and ndjson have all without it. */
                limit?: number;
                /** @description Default json. */
                format?: "json" | "ndjson" | "csv" | "parquet";
                /** @description Only records that are there, or only those that are gone. */
                op?: "upsert" | "gone";
                /** @description Only records that changed at this time or later. */
                changedAfter?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the records of a dataset, or what has changed since a revision */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        records: components["schemas"]["DatasetRecord"][];
                        /** @description Give it as `since` to read on. */
                        next: number;
                        /** @description True if there are more already. */
                        hasMore: boolean;
                    };
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    getRecordHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show how a record has changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        history: components["schemas"]["RecordVersion"][];
                    };
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Only schedules in this state. */
                status?: "active" | "paused";
                /** @description Number of entries. Default 20. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the schedules of the account, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        schedules: components["schemas"]["Schedule"][];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScheduleRequest"];
            };
        };
        responses: {
            /** @description Scrape pages on a schedule */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        schedule: components["schemas"]["Schedule"];
                    };
                };
            };
        };
    };
    previewSchedule: {
        parameters: {
            query: {
                /** @description Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday. */
                cron: string;
                /** @description IANA name of the time zone of `cron`. Default UTC. */
                timezone?: string;
                /** @description Number of runs. Default 5. */
                count?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the next times of a cron expression */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        preview: {
                            /** @description The time zone as IANA spells it. */
                            timezone: string;
                            /** @description The next times, the nearest first. */
                            runs: string[];
                        };
                    };
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        schedule: components["schemas"]["Schedule"];
                    };
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a schedule permanently */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron": "*\/30 * * * *",
                 *       "timezone": null
                 *     }
                 */
                "application/json": components["schemas"]["SchedulePatch"];
            };
        };
        responses: {
            /** @description Change settings of a schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        schedule: components["schemas"]["Schedule"];
                    };
                };
            };
        };
    };
    getScheduleHealth: {
        parameters: {
            query?: {
                /** @description `false` leaves out the suggestions, which take work. Default true. */
                suggest?: "true" | "false";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show what the fields of a schedule returned before and return now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        health: components["schemas"]["ScheduleHealth"];
                    };
                };
            };
        };
    };
    acceptSuggestions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fields": [
                 *         "price"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Paths of the fields whose suggestions are accepted, also those that are not verified. Without it, all verified ones.
                     * @example [
                     *       "price"
                     *     ]
                     */
                    fields?: string[];
                    /** @description Of the health that the suggestions were read from: where selectors or pages have changed since, nothing is accepted. */
                    suggestedFor?: string;
                };
            };
        };
        responses: {
            /** @description Use the selectors that are suggested for fields that have fallen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        schedule: components["schemas"]["Schedule"];
                        /** @description Paths of the fields whose selectors were replaced. */
                        accepted: string[];
                        /** @description Present if the fallen selectors are those of the recipe of the schedule. */
                        recipe?: {
                            /**
                             * @description The version of the recipe: with the repair, or as it was.
                             * @example rec_01jd8x0000000000000000000@4
                             */
                            version: string;
                            /** @description True if the repair has become a version; false if tests are red with it. */
                            isNew: boolean;
                            /** @description Names of the tests that are red with the repair. */
                            red: string[];
                        };
                    };
                };
            };
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pause a schedule: no runs start until it is resumed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        schedule: components["schemas"]["Schedule"];
                    };
                };
            };
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resume a schedule: the next run is the next due time from now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        schedule: components["schemas"]["Schedule"];
                    };
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unique to the job: 1 to 255 visible ASCII characters. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Start a run now */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        job: components["schemas"]["Job"];
                    };
                };
            };
        };
    };
    listScheduleRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show what the rules of a schedule have told */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        rules: {
                            name: string;
                            /** @description Records that it has told of. */
                            told: number;
                            /** @description Records that wait for the end of its `digest`. */
                            waiting?: number;
                            lastToldAt: string | null;
                            lastJobId: string | null;
                            lastTitle: string | null;
                        }[];
                        /** @description Number of records and pages that are watched. */
                        records: number;
                        /** @description Number of further ones in the last run, which are not watched because there are too many. */
                        omitted: number;
                    };
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description Number of entries. Default 20. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the jobs of a schedule, newest first, with whether their data changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        runs: components["schemas"]["Run"][];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    listScheduleChanges: {
        parameters: {
            query?: {
                /** @description Number of runs. Default 10. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what the runs of a schedule found changed, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        changes: {
                            jobId: string;
                            /**
                             * Format: date-time
                             * @description Time at which the run started.
                             */
                            at: string;
                            /** @description Id of the run before; null when there is nothing to compare: of the first run, while the job runs, and of jobs that are neither runs nor crawls with `since`. */
                            comparedWith: string | null;
                            /** @description For each list of records, the field by which records were matched: the `key` of its selector, or one that was found. */
                            matchedBy: {
                                [key: string]: string;
                            };
                            counts: {
                                /** @description Records that no earlier run had. */
                                added: number;
                                /** @description Records that are no longer there. */
                                removed: number;
                                /** @description Records with other values. */
                                changed: number;
                            };
                            /** @description Number of further changes, which are not kept because there are too many. */
                            omitted: number;
                            /** @description Number of pages that are of another kind than before, such as a login instead of content. They say nothing, and the run before stays what they are compared with. */
                            notCompared: number;
                            /** @description The first changes, up to 100 and 128 KiB. */
                            changes: components["schemas"]["Change"][];
                            /** @description Path of all changes, when there are more. */
                            changesUrl?: string;
                        }[];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    getScheduleDiff: {
        parameters: {
            query?: {
                /** @description Id of the run before. Default the last one before `to`. */
                from?: string;
                /** @description Id of the run after. Default the last one with pages. */
                to?: string;
                /** @description Only the page with this URL. */
                url?: string;
                /** @description As JSON, or the texts of all pages as one patch. Default json. */
                format?: "json" | "text";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Compare the Markdown of two runs of a schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        diff: components["schemas"]["ScheduleDiff"];
                    };
                    "text/plain": string;
                };
            };
        };
    };
    getScheduleFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the addresses of the feeds of a schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        feed: components["schemas"]["ScheduleFeed"];
                    };
                };
            };
        };
    };
    rotateScheduleFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Replace the token of the feeds of a schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        feed: components["schemas"]["ScheduleFeed"];
                    };
                };
            };
        };
    };
    readScheduleAtom: {
        parameters: {
            query?: {
                /** @description Token of the feeds of the schedule. Without it, the request needs an API key. */
                token?: string;
                /** @description Only what rules tell, or only changes of runs. Default both. */
                only?: "rules" | "changes";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the news of a schedule as Atom */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
        };
    };
    readScheduleFeed: {
        parameters: {
            query?: {
                /** @description Token of the feeds of the schedule. Without it, the request needs an API key. */
                token?: string;
                /** @description Only what rules tell, or only changes of runs. Default both. */
                only?: "rules" | "changes";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the news of a schedule as JSON Feed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": string;
                };
            };
        };
    };
    listRecipes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the recipes of the account by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        recipes: components["schemas"]["RecipeSummary"][];
                    };
                };
            };
        };
    };
    createRecipe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 20971520 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Books",
                 *       "match": [
                 *         "https://shop.example/books/*"
                 *       ],
                 *       "options": {
                 *         "selectors": {
                 *           "title": "h1",
                 *           "price": {
                 *             "selector": ".price",
                 *             "type": "price"
                 *           }
                 *         }
                 *       },
                 *       "tests": [
                 *         {
                 *           "name": "a book",
                 *           "html": "<h1>Dracula</h1> <p class=\"price\">£8.49</p>",
                 *           "expect": {
                 *             "title": "Dracula",
                 *             "price.amount": 8.49
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique among the recipes of the account.
                     * @example Books
                     */
                    name: string;
                    /**
                     * @description Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone.
                     * @example [
                     *       "https://shop.example/books/*"
                     *     ]
                     */
                    match?: string[];
                    /** @description Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions. */
                    options: {
                        /**
                         * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                         * @example {
                         *       "title": "h1",
                         *       "prices": ".price::text::all"
                         *     }
                         */
                        selectors?: {
                            [key: string]: components["schemas"]["Selector"];
                        };
                        /**
                         * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                         * @example [
                         *       "markdown",
                         *       "metadata"
                         *     ]
                         * @example [
                         *       {
                         *         "type": "markdown",
                         *         "main": true
                         *       },
                         *       "metadata"
                         *     ]
                         */
                        formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                            /**
                             * @description Name of the format.
                             * @enum {string}
                             */
                            type: "markdown" | "links" | "images" | "text" | "html";
                            /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                            main?: boolean;
                            /**
                             * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                             * @example main, .post
                             */
                            include?: string;
                            /**
                             * @description CSS selector list of elements to leave out, whatever else says.
                             * @example .ads, .share
                             */
                            exclude?: string;
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        } | {
                            /** @constant */
                            type: "article";
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        })[];
                        /**
                         * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
                         * @example {
                         *       "schema": {
                         *         "type": "object",
                         *         "properties": {
                         *           "title": {
                         *             "type": "string"
                         *           },
                         *           "price": {
                         *             "type": "number"
                         *           }
                         *         }
                         *       }
                         *     }
                         */
                        extract?: {
                            /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                            schema: {
                                [key: string]: unknown;
                            };
                            /** @description What the model is told besides the schema. */
                            prompt?: string;
                            /**
                             * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                             * @enum {string}
                             */
                            evidence?: "required" | "report";
                            /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                            maxCredits?: number;
                        };
                        /**
                         * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                         * @example de
                         */
                        locale?: string;
                        /**
                         * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
                         * @enum {unknown}
                         */
                        render?: true | false | "auto";
                        /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
                        antiBot?: boolean;
                        /**
                         * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
                         * @example us
                         */
                        proxy?: string;
                        /**
                         * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                         * @example [
                         *       {
                         *         "fill": "#q",
                         *         "value": "kettle"
                         *       },
                         *       {
                         *         "press": "Enter"
                         *       },
                         *       {
                         *         "waitFor": ".results"
                         *       }
                         *     ]
                         * @example [
                         *       {
                         *         "repeat": [
                         *           {
                         *             "click": "a.more"
                         *           }
                         *         ],
                         *         "times": 20
                         *       }
                         *     ]
                         */
                        actions?: components["schemas"]["Action"][];
                        /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
                        waitFor?: string | number;
                        /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
                        screenshot?: boolean | {
                            /** @description The whole page, however long, or only what the window shows first. Default true. */
                            fullPage?: boolean;
                            /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                            selector?: string;
                            /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                            viewport?: {
                                width: number;
                                height: number;
                                /** @description Pixels of the image for each CSS pixel. Default 1. */
                                scale?: number;
                            };
                            /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                            mobile?: boolean;
                            /**
                             * @description Default png.
                             * @enum {string}
                             */
                            format?: "png" | "jpeg" | "webp";
                            /** @description Of a JPEG or WebP image. Default 80. */
                            quality?: number;
                        };
                        /**
                         * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
                         * @enum {string}
                         */
                        overlays?: "keep" | "hide" | "accept" | "reject";
                        /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
                        frames?: boolean;
                        /**
                         * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
                         * @example {
                         *       "offers": {
                         *         "url": "**\/api/offers*",
                         *         "wait": 1
                         *       }
                         *     }
                         */
                        capture?: {
                            [key: string]: {
                                /**
                                 * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                                 * @example /books/**
                                 * @example {
                                 *       "regex": "/p/[0-9]+$"
                                 *     }
                                 */
                                url: string | {
                                    regex: string;
                                };
                                /**
                                 * @description Only requests with this method. Default: any.
                                 * @enum {string}
                                 */
                                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                                /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                                types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                                /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                                wait?: number;
                                /** @description Number of responses that are kept, the first ones. Default 20. */
                                limit?: number;
                            };
                        };
                        /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
                        pdf?: {
                            /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                            maxPages?: number;
                        };
                        /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
                        download?: boolean;
                        /**
                         * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
                         * @enum {string}
                         */
                        onSuspect?: "keep" | "fail";
                        /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
                        snapshot?: boolean;
                        /**
                         * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
                         * @example 3600000
                         */
                        maxAge?: number;
                        /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
                        freshContext?: boolean;
                        /**
                         * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
                         * @example {
                         *       "Accept-Language": "de"
                         *     }
                         */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
                         * @example prof_01jd8x0000000000000000000
                         */
                        profile?: string | {
                            id: string;
                            /** @description Store what the page leaves in the session. Default true. */
                            save?: boolean;
                        };
                        /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
                        timeout?: number;
                    };
                    /** @description Pages with the values that the options must find on them. */
                    tests?: ({
                        /**
                         * @description Unique among the tests of the recipe.
                         * @example a book
                         */
                        name: string;
                        /**
                         * @description Kind of the document. Default html.
                         * @enum {string}
                         */
                        kind?: "html" | "xml" | "json" | "text";
                        /**
                         * @description The address of the page, with http or https, to which its links are relative. It is not fetched.
                         * @example https://shop.example/books/dracula
                         */
                        url?: string;
                        /** @description Encoding in which the page was sent, which its links keep. Default utf-8. */
                        encoding?: string;
                        /**
                         * @description The values that the page has, by their paths in `data`: `price.amount`, `books.0.title`, `books.length`; those of formats by `formats.markdown`. Each must be equal, whatever the order of the fields in it.
                         * @example {
                         *       "title": "Dracula",
                         *       "price.amount": 8.49,
                         *       "tags.length": 3
                         *     }
                         */
                        expect: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description The kind of page that it must be taken for. Without it, any will do.
                         * @enum {string}
                         */
                        verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
                        /**
                         * @description The text of the page: at most 1048576 bytes in UTF-8.
                         * @example <h1>Dracula</h1>
                         */
                        html?: string;
                        /** @description A snapshot, whose page is copied: kind, URL and encoding are those of the snapshot. */
                        snapshotId?: string;
                        /** @description The SHA-256 of a page that the account has stored already. */
                        page?: string;
                    } & ({
                        html: unknown;
                    } | {
                        snapshotId: unknown;
                    } | {
                        page: unknown;
                    }))[];
                };
            };
        };
        responses: {
            /** @description Create a recipe: options for the pages of a site, with tests */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        recipe: components["schemas"]["Recipe"];
                    };
                };
            };
        };
    };
    tryRecipe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 20971520 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "options": {
                 *         "selectors": {
                 *           "title": "h1"
                 *         }
                 *       },
                 *       "tests": [
                 *         {
                 *           "name": "a book",
                 *           "html": "<h1>Dracula</h1>",
                 *           "expect": {
                 *             "title": "Dracula"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions. */
                    options: {
                        /**
                         * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                         * @example {
                         *       "title": "h1",
                         *       "prices": ".price::text::all"
                         *     }
                         */
                        selectors?: {
                            [key: string]: components["schemas"]["Selector"];
                        };
                        /**
                         * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                         * @example [
                         *       "markdown",
                         *       "metadata"
                         *     ]
                         * @example [
                         *       {
                         *         "type": "markdown",
                         *         "main": true
                         *       },
                         *       "metadata"
                         *     ]
                         */
                        formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                            /**
                             * @description Name of the format.
                             * @enum {string}
                             */
                            type: "markdown" | "links" | "images" | "text" | "html";
                            /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                            main?: boolean;
                            /**
                             * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                             * @example main, .post
                             */
                            include?: string;
                            /**
                             * @description CSS selector list of elements to leave out, whatever else says.
                             * @example .ads, .share
                             */
                            exclude?: string;
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        } | {
                            /** @constant */
                            type: "article";
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        })[];
                        /**
                         * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
                         * @example {
                         *       "schema": {
                         *         "type": "object",
                         *         "properties": {
                         *           "title": {
                         *             "type": "string"
                         *           },
                         *           "price": {
                         *             "type": "number"
                         *           }
                         *         }
                         *       }
                         *     }
                         */
                        extract?: {
                            /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                            schema: {
                                [key: string]: unknown;
                            };
                            /** @description What the model is told besides the schema. */
                            prompt?: string;
                            /**
                             * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                             * @enum {string}
                             */
                            evidence?: "required" | "report";
                            /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                            maxCredits?: number;
                        };
                        /**
                         * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                         * @example de
                         */
                        locale?: string;
                        /**
                         * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
                         * @enum {unknown}
                         */
                        render?: true | false | "auto";
                        /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
                        antiBot?: boolean;
                        /**
                         * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
                         * @example us
                         */
                        proxy?: string;
                        /**
                         * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                         * @example [
                         *       {
                         *         "fill": "#q",
                         *         "value": "kettle"
                         *       },
                         *       {
                         *         "press": "Enter"
                         *       },
                         *       {
                         *         "waitFor": ".results"
                         *       }
                         *     ]
                         * @example [
                         *       {
                         *         "repeat": [
                         *           {
                         *             "click": "a.more"
                         *           }
                         *         ],
                         *         "times": 20
                         *       }
                         *     ]
                         */
                        actions?: components["schemas"]["Action"][];
                        /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
                        waitFor?: string | number;
                        /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
                        screenshot?: boolean | {
                            /** @description The whole page, however long, or only what the window shows first. Default true. */
                            fullPage?: boolean;
                            /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                            selector?: string;
                            /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                            viewport?: {
                                width: number;
                                height: number;
                                /** @description Pixels of the image for each CSS pixel. Default 1. */
                                scale?: number;
                            };
                            /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                            mobile?: boolean;
                            /**
                             * @description Default png.
                             * @enum {string}
                             */
                            format?: "png" | "jpeg" | "webp";
                            /** @description Of a JPEG or WebP image. Default 80. */
                            quality?: number;
                        };
                        /**
                         * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
                         * @enum {string}
                         */
                        overlays?: "keep" | "hide" | "accept" | "reject";
                        /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
                        frames?: boolean;
                        /**
                         * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
                         * @example {
                         *       "offers": {
                         *         "url": "**\/api/offers*",
                         *         "wait": 1
                         *       }
                         *     }
                         */
                        capture?: {
                            [key: string]: {
                                /**
                                 * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                                 * @example /books/**
                                 * @example {
                                 *       "regex": "/p/[0-9]+$"
                                 *     }
                                 */
                                url: string | {
                                    regex: string;
                                };
                                /**
                                 * @description Only requests with this method. Default: any.
                                 * @enum {string}
                                 */
                                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                                /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                                types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                                /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                                wait?: number;
                                /** @description Number of responses that are kept, the first ones. Default 20. */
                                limit?: number;
                            };
                        };
                        /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
                        pdf?: {
                            /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                            maxPages?: number;
                        };
                        /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
                        download?: boolean;
                        /**
                         * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
                         * @enum {string}
                         */
                        onSuspect?: "keep" | "fail";
                        /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
                        snapshot?: boolean;
                        /**
                         * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
                         * @example 3600000
                         */
                        maxAge?: number;
                        /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
                        freshContext?: boolean;
                        /**
                         * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
                         * @example {
                         *       "Accept-Language": "de"
                         *     }
                         */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
                         * @example prof_01jd8x0000000000000000000
                         */
                        profile?: string | {
                            id: string;
                            /** @description Store what the page leaves in the session. Default true. */
                            save?: boolean;
                        };
                        /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
                        timeout?: number;
                    };
                    /** @description Pages with the values that the options must find on them. */
                    tests: ({
                        /**
                         * @description Unique among the tests of the recipe.
                         * @example a book
                         */
                        name: string;
                        /**
                         * @description Kind of the document. Default html.
                         * @enum {string}
                         */
                        kind?: "html" | "xml" | "json" | "text";
                        /**
                         * @description The address of the page, with http or https, to which its links are relative. It is not fetched.
                         * @example https://shop.example/books/dracula
                         */
                        url?: string;
                        /** @description Encoding in which the page was sent, which its links keep. Default utf-8. */
                        encoding?: string;
                        /**
                         * @description The values that the page has, by their paths in `data`: `price.amount`, `books.0.title`, `books.length`; those of formats by `formats.markdown`. Each must be equal, whatever the order of the fields in it.
                         * @example {
                         *       "title": "Dracula",
                         *       "price.amount": 8.49,
                         *       "tags.length": 3
                         *     }
                         */
                        expect: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description The kind of page that it must be taken for. Without it, any will do.
                         * @enum {string}
                         */
                        verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
                        /**
                         * @description The text of the page: at most 1048576 bytes in UTF-8.
                         * @example <h1>Dracula</h1>
                         */
                        html?: string;
                        /** @description A snapshot, whose page is copied: kind, URL and encoding are those of the snapshot. */
                        snapshotId?: string;
                        /** @description The SHA-256 of a page that the account has stored already. */
                        page?: string;
                    } & ({
                        html: unknown;
                    } | {
                        snapshotId: unknown;
                    } | {
                        page: unknown;
                    }))[];
                };
            };
        };
        responses: {
            /** @description Run tests of a recipe that is not stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description Number of tests that passed. */
                        passed: number;
                        failed: number;
                        /** @description In the order of the tests. */
                        results: components["schemas"]["TestResult"][];
                    };
                };
            };
        };
    };
    addRecipePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 20971520 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "html": "<h1>Dracula</h1>"
                 *     }
                 */
                "application/json": {
                    /** @description The text of the page: at most 1048576 bytes in UTF-8. */
                    html: string;
                };
            };
        };
        responses: {
            /** @description Store a page for tests of recipes */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        page: components["schemas"]["RecipePage"];
                    };
                };
            };
        };
    };
    getRecipePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a page of tests of recipes, as text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getRecipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a recipe in its latest version, or in the version of an id such as rec_…@3 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        recipe: components["schemas"]["Recipe"];
                    };
                };
            };
        };
    };
    deleteRecipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a recipe with its versions and tests */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateRecipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 20971520 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "options": {
                 *         "selectors": {
                 *           "title": "h1.title"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Unique among the recipes of the account.
                     * @example Books
                     */
                    name?: string;
                    /**
                     * @description Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone.
                     * @example [
                     *       "https://shop.example/books/*"
                     *     ]
                     */
                    match?: string[];
                    /** @description Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions. */
                    options?: {
                        /**
                         * @description Output field name to selector. At most 100 fields and 64 KiB, nested ones included.
                         * @example {
                         *       "title": "h1",
                         *       "prices": ".price::text::all"
                         *     }
                         */
                        selectors?: {
                            [key: string]: components["schemas"]["Selector"];
                        };
                        /**
                         * @description Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.
                         * @example [
                         *       "markdown",
                         *       "metadata"
                         *     ]
                         * @example [
                         *       {
                         *         "type": "markdown",
                         *         "main": true
                         *       },
                         *       "metadata"
                         *     ]
                         */
                        formats?: (("markdown" | "article" | "metadata" | "links" | "images" | "tables" | "text" | "html") | {
                            /**
                             * @description Name of the format.
                             * @enum {string}
                             */
                            type: "markdown" | "links" | "images" | "text" | "html";
                            /** @description Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false. */
                            main?: boolean;
                            /**
                             * @description CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.
                             * @example main, .post
                             */
                            include?: string;
                            /**
                             * @description CSS selector list of elements to leave out, whatever else says.
                             * @example .ads, .share
                             */
                            exclude?: string;
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        } | {
                            /** @constant */
                            type: "article";
                            /**
                             * @description What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.
                             * @enum {string}
                             */
                            hidden?: "keep" | "drop" | "mark";
                        })[];
                        /**
                         * @description Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.
                         * @example {
                         *       "schema": {
                         *         "type": "object",
                         *         "properties": {
                         *           "title": {
                         *             "type": "string"
                         *           },
                         *           "price": {
                         *             "type": "number"
                         *           }
                         *         }
                         *       }
                         *     }
                         */
                        extract?: {
                            /** @description JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path. */
                            schema: {
                                [key: string]: unknown;
                            };
                            /** @description What the model is told besides the schema. */
                            prompt?: string;
                            /**
                             * @description With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.
                             * @enum {string}
                             */
                            evidence?: "required" | "report";
                            /** @description The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before. */
                            maxCredits?: number;
                        };
                        /**
                         * @description BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.
                         * @example de
                         */
                        locale?: string;
                        /**
                         * @description Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.
                         * @enum {unknown}
                         */
                        render?: true | false | "auto";
                        /** @description When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false. */
                        antiBot?: boolean;
                        /**
                         * @description Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.
                         * @example us
                         */
                        proxy?: string;
                        /**
                         * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                         * @example [
                         *       {
                         *         "fill": "#q",
                         *         "value": "kettle"
                         *       },
                         *       {
                         *         "press": "Enter"
                         *       },
                         *       {
                         *         "waitFor": ".results"
                         *       }
                         *     ]
                         * @example [
                         *       {
                         *         "repeat": [
                         *           {
                         *             "click": "a.more"
                         *           }
                         *         ],
                         *         "times": 20
                         *       }
                         *     ]
                         */
                        actions?: components["schemas"]["Action"][];
                        /** @description A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`. */
                        waitFor?: string | number;
                        /** @description Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false. */
                        screenshot?: boolean | {
                            /** @description The whole page, however long, or only what the window shows first. Default true. */
                            fullPage?: boolean;
                            /** @description CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so. */
                            selector?: string;
                            /** @description Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`. */
                            viewport?: {
                                width: number;
                                height: number;
                                /** @description Pixels of the image for each CSS pixel. Default 1. */
                                scale?: number;
                            };
                            /** @description Visit the page as Chrome on a phone with a touch screen does. Default false. */
                            mobile?: boolean;
                            /**
                             * @description Default png.
                             * @enum {string}
                             */
                            format?: "png" | "jpeg" | "webp";
                            /** @description Of a JPEG or WebP image. Default 80. */
                            quality?: number;
                        };
                        /**
                         * @description What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.
                         * @enum {string}
                         */
                        overlays?: "keep" | "hide" | "accept" | "reject";
                        /** @description Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false. */
                        frames?: boolean;
                        /**
                         * @description Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.
                         * @example {
                         *       "offers": {
                         *         "url": "**\/api/offers*",
                         *         "wait": 1
                         *       }
                         *     }
                         */
                        capture?: {
                            [key: string]: {
                                /**
                                 * @description A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.
                                 * @example /books/**
                                 * @example {
                                 *       "regex": "/p/[0-9]+$"
                                 *     }
                                 */
                                url: string | {
                                    regex: string;
                                };
                                /**
                                 * @description Only requests with this method. Default: any.
                                 * @enum {string}
                                 */
                                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                                /** @description Kinds of requests. Default xhr and fetch, by which scripts load data. */
                                types?: ("xhr" | "fetch" | "eventsource" | "document" | "script" | "other")[];
                                /** @description Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read. */
                                wait?: number;
                                /** @description Number of responses that are kept, the first ones. Default 20. */
                                limit?: number;
                            };
                        };
                        /** @description How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages. */
                        pdf?: {
                            /** @description Pages to read; a longer PDF has the warning PDF_CUT. Default 100. */
                            maxPages?: number;
                        };
                        /** @description Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false. */
                        download?: boolean;
                        /**
                         * @description What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep.
                         * @enum {string}
                         */
                        onSuspect?: "keep" | "fail";
                        /** @description Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false. */
                        snapshot?: boolean;
                        /**
                         * @description Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0.
                         * @example 3600000
                         */
                        maxAge?: number;
                        /** @description Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false. */
                        freshContext?: boolean;
                        /**
                         * @description Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any.
                         * @example {
                         *       "Accept-Language": "de"
                         *     }
                         */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @description Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header.
                         * @example prof_01jd8x0000000000000000000
                         */
                        profile?: string | {
                            id: string;
                            /** @description Store what the page leaves in the session. Default true. */
                            save?: boolean;
                        };
                        /** @description Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more. */
                        timeout?: number;
                    };
                    /** @description Pages with the values that the options must find on them. */
                    tests?: ({
                        /**
                         * @description Unique among the tests of the recipe.
                         * @example a book
                         */
                        name: string;
                        /**
                         * @description Kind of the document. Default html.
                         * @enum {string}
                         */
                        kind?: "html" | "xml" | "json" | "text";
                        /**
                         * @description The address of the page, with http or https, to which its links are relative. It is not fetched.
                         * @example https://shop.example/books/dracula
                         */
                        url?: string;
                        /** @description Encoding in which the page was sent, which its links keep. Default utf-8. */
                        encoding?: string;
                        /**
                         * @description The values that the page has, by their paths in `data`: `price.amount`, `books.0.title`, `books.length`; those of formats by `formats.markdown`. Each must be equal, whatever the order of the fields in it.
                         * @example {
                         *       "title": "Dracula",
                         *       "price.amount": 8.49,
                         *       "tags.length": 3
                         *     }
                         */
                        expect: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description The kind of page that it must be taken for. Without it, any will do.
                         * @enum {string}
                         */
                        verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
                        /**
                         * @description The text of the page: at most 1048576 bytes in UTF-8.
                         * @example <h1>Dracula</h1>
                         */
                        html?: string;
                        /** @description A snapshot, whose page is copied: kind, URL and encoding are those of the snapshot. */
                        snapshotId?: string;
                        /** @description The SHA-256 of a page that the account has stored already. */
                        page?: string;
                    } & ({
                        html: unknown;
                    } | {
                        snapshotId: unknown;
                    } | {
                        page: unknown;
                    }))[];
                };
            };
        };
        responses: {
            /** @description Make a new version of a recipe */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        recipe: components["schemas"]["Recipe"];
                    };
                };
            };
        };
    };
    testRecipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Run the tests of a recipe */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @example rec_01jd8x0000000000000000000@3 */
                        recipe: string;
                        /** @description Number of tests that passed. */
                        passed: number;
                        failed: number;
                        /** @description In the order of the tests. */
                        results: components["schemas"]["TestResult"][];
                    };
                };
            };
        };
    };
    recordTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jobId": "job_01jd8x0000000000000000000",
                 *       "index": 0
                 *     }
                 */
                "application/json": {
                    /** @description A job with `snapshot`, whose pages are kept for a day. */
                    jobId: string;
                    /** @description The result, from 0, in the order of its URLs. */
                    index: number;
                    /** @description Name of the test. Default the path of the URL. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Make a test of a result of a job that you believe */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        recipe: components["schemas"]["Recipe"];
                        result: components["schemas"]["TestResult"];
                    };
                };
            };
        };
    };
    listProfiles: {
        parameters: {
            query?: {
                /** @description Number of entries. Default 20. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the profiles of the account, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        profiles: components["schemas"]["Profile"][];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    createProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "shop",
                 *       "login": {
                 *         "url": "https://example.com/login",
                 *         "check": {
                 *           "absent": "form.login"
                 *         }
                 *       },
                 *       "storageState": {
                 *         "cookies": [
                 *           {
                 *             "name": "session",
                 *             "value": "a1b2c3",
                 *             "domain": "example.com",
                 *             "path": "/"
                 *           }
                 *         ],
                 *         "origins": []
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Unique in the account. */
                    name: string;
                    /** @description How to sign in: the `actions` are done on the page at `url`, and the page that they lead to must pass `check`, as every page that is scraped must. Without `actions` a session is renewed by uploading another `storageState`. */
                    login?: {
                        /**
                         * @description The page with the form.
                         * @example https://shop.example/login
                         */
                        url: string;
                        /**
                         * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                         * @example [
                         *       {
                         *         "fill": "#q",
                         *         "value": "kettle"
                         *       },
                         *       {
                         *         "press": "Enter"
                         *       },
                         *       {
                         *         "waitFor": ".results"
                         *       }
                         *     ]
                         * @example [
                         *       {
                         *         "repeat": [
                         *           {
                         *             "click": "a.more"
                         *           }
                         *         ],
                         *         "times": 20
                         *       }
                         *     ]
                         */
                        actions?: components["schemas"]["Action"][];
                        /** @description Sign of a page that is signed in, looked for on every page: a selector that matches (`present`) or does not (`absent`), or a pattern of the final URL (`url`). */
                        check: {
                            /**
                             * @description A CSS selector that matches something on every page.
                             * @example .account
                             */
                            present: string;
                        } | {
                            /**
                             * @description A CSS selector that matches nothing on any page.
                             * @example form.login
                             */
                            absent: string;
                        } | {
                            /**
                             * @description A pattern of path and query, or of the whole URL if it begins with http, that each final URL matches.
                             * @example /account/**
                             */
                            url: string;
                        };
                    };
                    storageState?: components["schemas"]["StorageState"];
                    /**
                     * @description Country of the proxy that carries the login and every page.
                     * @example us
                     */
                    proxy?: string;
                    /** @description Milliseconds after which a session counts as expired although no check has failed. Default: never. */
                    ttl?: number;
                };
            };
        };
        responses: {
            /** @description Create a profile */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        profile: components["schemas"]["Profile"];
                    };
                };
            };
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        profile: components["schemas"]["Profile"];
                    };
                };
            };
        };
    };
    deleteProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a profile with its state */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ttl": 86400000
                 *     }
                 */
                "application/json": {
                    name?: string;
                    login?: {
                        /**
                         * @description The page with the form.
                         * @example https://shop.example/login
                         */
                        url: string;
                        /**
                         * @description Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`.
                         * @example [
                         *       {
                         *         "fill": "#q",
                         *         "value": "kettle"
                         *       },
                         *       {
                         *         "press": "Enter"
                         *       },
                         *       {
                         *         "waitFor": ".results"
                         *       }
                         *     ]
                         * @example [
                         *       {
                         *         "repeat": [
                         *           {
                         *             "click": "a.more"
                         *           }
                         *         ],
                         *         "times": 20
                         *       }
                         *     ]
                         */
                        actions?: components["schemas"]["Action"][];
                        /** @description Sign of a page that is signed in, looked for on every page: a selector that matches (`present`) or does not (`absent`), or a pattern of the final URL (`url`). */
                        check: {
                            /**
                             * @description A CSS selector that matches something on every page.
                             * @example .account
                             */
                            present: string;
                        } | {
                            /**
                             * @description A CSS selector that matches nothing on any page.
                             * @example form.login
                             */
                            absent: string;
                        } | {
                            /**
                             * @description A pattern of path and query, or of the whole URL if it begins with http, that each final URL matches.
                             * @example /account/**
                             */
                            url: string;
                        };
                    } | null;
                    storageState?: components["schemas"]["StorageState"];
                    proxy?: string | null;
                    ttl?: number | null;
                };
            };
        };
        responses: {
            /** @description Change a profile, or upload a new state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        profile: components["schemas"]["Profile"];
                    };
                };
            };
        };
    };
    loginProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sign in again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        profile: components["schemas"]["Profile"];
                    };
                };
            };
        };
    };
    getProfileState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the state of a profile as Playwright’s storageState */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        storageState: components["schemas"]["StorageState"];
                    };
                };
            };
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the secret that signs deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /**
                         * @description Secret in the form of Standard Webhooks.
                         * @example whsec_…
                         */
                        secret: string;
                        /** Format: date-time */
                        createdAt: string;
                        previousValidUntil: string | null;
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Replace the secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /**
                         * @description Secret in the form of Standard Webhooks.
                         * @example whsec_…
                         */
                        secret: string;
                        /** Format: date-time */
                        createdAt: string;
                        previousValidUntil: string | null;
                    };
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries about this job. */
                jobId?: string;
                /** @description Only messages for this channel. */
                channelId?: string;
                /** @description Only deliveries in this state. */
                status?: "pending" | "delivered" | "failed" | "gone";
                /** @description Number of entries. Default 20. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List deliveries with their attempts, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        deliveries: components["schemas"]["Delivery"][];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a delivery again, under the same webhook-id */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        delivery: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/webhook"
                 *     }
                 */
                "application/json": {
                    /** @description The endpoint: an absolute http or https URL. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Send a signed test event to a URL and wait for its response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        delivery: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the channels of the account by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        channels: components["schemas"]["Channel"][];
                    };
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChannelRequest"];
            };
        };
        responses: {
            /** @description Create a channel by which rules of schedules tell you */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        channel: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a channel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        channel: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a channel */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Purchasing"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Name by which people know the channel.
                     * @example Buyers
                     */
                    name?: string;
                    /**
                     * @description Of `webhook`: the endpoint. Of `slack`, `discord` and `teams`: the address of an incoming webhook.
                     * @example https://hooks.example.com/T000/B000
                     */
                    url?: string;
                    /**
                     * @description Of `email`: the recipients.
                     * @example [
                     *       "ann@example.com"
                     *     ]
                     */
                    to?: string[];
                    /** @description Of `telegram`: the token of the bot. Of `ntfy`, optional: an access token. */
                    token?: string;
                    /**
                     * @description Of `telegram`: the chat.
                     * @example @prices
                     */
                    chat?: string;
                    /** @description Of `ntfy`: the topic. */
                    topic?: string;
                    /** @description Of `ntfy` and `telegram`, optional: a server of your own. Default https://ntfy.sh and https://api.telegram.org. */
                    server?: string;
                    /** @description Of `apprise`: the key of a configuration that the operator's Apprise keeps. */
                    key?: string;
                    /** @description Of `apprise`, optional: the tags of that configuration to notify. */
                    tag?: string;
                };
            };
        };
        responses: {
            /** @description Change the name or the address of a channel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        channel: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a test message and wait for its outcome */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        delivery: components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Number of entries. Default 20. */
                limit?: number;
                /** @description Number of entries to skip. Default 0. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the API keys of the account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        keys: components["schemas"]["Key"][];
                        pagination: {
                            limit: number;
                            offset: number;
                            /** @description Number of all entries. */
                            total: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Reporting",
                 *       "scopes": [
                 *         "scrape",
                 *         "jobs"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Default "Unnamed key". */
                    name?: string;
                    /** @description Default: all but admin. */
                    scopes?: ("scrape" | "jobs" | "schedules" | "profiles" | "webhooks" | "usage" | "admin")[];
                    /**
                     * Format: date-time
                     * @description Time in the future at which the key expires. Default never.
                     */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description Create an API key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: components["schemas"]["NewKey"];
                    };
                };
            };
        };
    };
    getCurrentKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the API key of this request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: components["schemas"]["Key"];
                    };
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke an API key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: components["schemas"]["Key"];
                    };
                };
            };
        };
    };
    putSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "correct horse",
                 *       "origins": [
                 *         "https://example.com"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The secret. No response has it. */
                    value: string;
                    /**
                     * @description Origins of the pages in whose fields the secret may be written. Without them, it is that of the URL that is scraped.
                     * @example [
                     *       "https://shop.example",
                     *       "https://login.shop.example"
                     *     ]
                     */
                    origins?: string[];
                };
            };
        };
        responses: {
            /** @description Store a secret, or replace its value */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        secret: components["schemas"]["Secret"];
                    };
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a secret */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the secrets of the account, without their values */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        secrets: components["schemas"]["Secret"][];
                    };
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description First day, YYYY-MM-DD. */
                from?: string;
                /** @description Last day, YYYY-MM-DD. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the credits used and left, by day and by operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        usage: components["schemas"]["Usage"];
                    };
                };
            };
        };
    };
    estimate: {
        parameters: {
            query?: {
                /** @description `true` fetches up to five pages of the request, robots.txt, and the sitemaps of a crawl, to say what they are and cost. Default false. */
                look?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 10485760 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScheduleRequest"] | components["schemas"]["CreateJobRequest"] | {
                    /**
                     * @description The page to start at: an absolute http or https URL.
                     * @example https://example.com/
                     */
                    url: string;
                    /** @description Most URLs that are returned. Default 5000. */
                    limit?: number;
                    /**
                     * @description Pages whose links are read, each for one credit: none with 0, so that only sitemaps are read; the start page with 1; with 2, also the pages that it links to and those of the sitemaps. Default 1.
                     * @enum {integer}
                     */
                    depth?: 0 | 1 | 2;
                    /**
                     * @description Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.
                     * @enum {string}
                     */
                    scope?: "path" | "host" | "domain" | "any";
                    /**
                     * @description Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.
                     * @example [
                     *       "/books/**"
                     *     ]
                     */
                    include?: (string | {
                        regex: string;
                    })[];
                    /**
                     * @description URLs that match one of these are not crawled, whatever `include` says.
                     * @example [
                     *       "**?*add-to-cart=*"
                     *     ]
                     */
                    exclude?: (string | {
                        regex: string;
                    })[];
                    /**
                     * @description Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.
                     * @example [
                     *       "sort",
                     *       "view_*"
                     *     ]
                     */
                    ignoreQuery?: boolean | string[];
                    /**
                     * @description Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.
                     * @enum {string}
                     */
                    sitemap?: "skip" | "include" | "only";
                    /**
                     * @description Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.
                     * @enum {string}
                     */
                    robots?: "obey" | "ignore";
                    /**
                     * @description Words: only URLs that have one of them in the URL or in the text of a link are returned, the best first.
                     * @example returns policy
                     */
                    search?: string;
                    /** @description Most pages that are read, at one credit each. */
                    maxCredits?: number;
                    /** @description Milliseconds after which what was found is returned. Default 60000. */
                    timeout?: number;
                } | components["schemas"]["ScrapeRequest"];
            };
        };
        responses: {
            /** @description Estimate what a request may cost, without sending it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        estimate: {
                            /**
                             * @description What the body creates. Figures of a schedule are those of one run.
                             * @enum {string}
                             */
                            of: "scrape" | "map" | "job" | "crawl" | "schedule";
                            credits: {
                                /** @description The most that it can cost. */
                                worst: number;
                                /** @description The cost if every page succeeds and comes in the first way that is tried: without a step of `antiBot`, and not rendered with `render: "auto"`. With `look`, the cost if all pages are like those that were looked at. Left out without `look` for crawls, and for maps that read more than the start page: the number of their pages is not known. */
                                expected?: number;
                                /**
                                 * @description What `worst` rests on: the `options` of one page, or of a map; these for all different `urls`; for the `limit` of a crawl; or `maxCredits`.
                                 * @enum {string}
                                 */
                                basis: "options" | "urls" | "limit" | "maxCredits";
                            };
                            /** @description Number of pages that are fetched if none fails; equal URLs are fetched once. */
                            pages: {
                                atLeast: number;
                                atMost: number;
                            };
                            /** @description Runs of a schedule in a day, at the pace of its next 20. Left out for others. */
                            runsPerDay?: number;
                            /** @description What would make the request fail, now or later, although its body is valid. */
                            problems: {
                                /** @enum {string} */
                                code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                                message: string;
                                suggestion: string;
                            }[];
                            /** @description Present with `look=true`. */
                            look?: {
                                /** @description Everything that was read, as in `POST /v1/map`; a page without `verdict` is content. */
                                sources: {
                                    /** @enum {string} */
                                    kind: "robots" | "sitemap" | "page";
                                    url: string;
                                    /** @description Different URLs in it that belong to the map; of a robots.txt, the sitemaps that it names. */
                                    found: number;
                                    /** @description Links that `scope` leaves out. */
                                    outOfScope?: number;
                                    /** @description Links that `include` or `exclude` leave out. */
                                    excluded?: number;
                                    /** @description Links that the page asks not to follow. */
                                    nofollow?: number;
                                    /** @description Links that look endless. */
                                    trap?: number;
                                    /**
                                     * @description What the page is instead of what was asked for.
                                     * @enum {string}
                                     */
                                    verdict?: "content" | "wall" | "login" | "consent" | "notFound" | "shell" | "empty" | "notice";
                                    /** @description The page at which it was read instead. */
                                    redirectsTo?: string;
                                    /** @description Why some of its URLs are missing. */
                                    cutBecause?: string;
                                    /** @description Why it was not read. */
                                    error?: {
                                        /** @enum {string} */
                                        code: "INVALID_URL" | "INVALID_REQUEST" | "INVALID_JSON" | "INVALID_SELECTOR" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "FORBIDDEN" | "BLOCKED" | "ROBOTS_DENIED" | "NOT_FOUND" | "JOB_NOT_FOUND" | "SCREENSHOT_NOT_FOUND" | "TRACE_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "FILE_NOT_FOUND" | "SCHEDULE_NOT_FOUND" | "DATASET_NOT_FOUND" | "RECORD_NOT_FOUND" | "KEY_NOT_FOUND" | "SECRET_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "RECIPE_NOT_FOUND" | "PROFILE_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "TIMEOUT" | "JOB_NOT_CANCELLABLE" | "JOB_NOT_FINISHED" | "SUGGESTION_OUTDATED" | "NO_SUGGESTION" | "NOTHING_TO_COMPARE" | "DATASET_KEY_DIFFERS" | "RECIPE_AMBIGUOUS" | "REVISION_GONE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_CONFLICT" | "UNSUPPORTED_CONTENT" | "REQUIRED_FIELD_MISSING" | "ACTION_FAILED" | "LOGIN_REQUIRED" | "PROFILE_EXPIRED" | "RENDER_NEEDED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "OUTCOME_UNKNOWN" | "PROXY_ERROR" | "SEARCH_FAILED" | "SEARCH_MISCONFIGURED" | "MODEL_FAILED" | "NOT_CONFIGURED" | "SERVICE_UNAVAILABLE";
                                        message: string;
                                    };
                                }[];
                                /** @description Of a crawl: different URLs of it that its start pages and sitemaps name, counted up to 1000 for each start page. */
                                urls?: number;
                                /** @description False if some of it could not be read, or took too long. */
                                complete: boolean;
                            };
                        };
                    };
                };
            };
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the processes and the queues of the service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        system: {
                            version: string;
                            services: {
                                /** @example scraper */
                                name: string;
                                /** @description Work that the processes take. */
                                purpose: string;
                                /** @description Processes that take this work now. */
                                processes: number;
                            }[];
                            queues: {
                                /** @example pages.http */
                                name: string;
                                /** @description Messages that wait, those for a later time included. */
                                messages: number;
                                consumers: number;
                            }[];
                            /** @description Processes, by service; a new one appears within seconds. */
                            instances: {
                                /** @description Of this run of the process. */
                                id: string;
                                /** @example scraper */
                                service: string;
                                /** @description `INSTANCE`, or host name and process id. */
                                name: string;
                                version: string;
                                /** Format: date-time */
                                startedAt: string;
                                /**
                                 * Format: date-time
                                 * @description Time of its last heartbeat. A process that stops is removed at once, one that was killed after a minute.
                                 */
                                seenAt: string;
                                /** @description Of scrapers that render pages: browsers that run. */
                                browsers?: {
                                    /**
                                     * @description `plain` reads pages, `visual` draws them for screenshots, `disguised` looks like a browser of a person.
                                     * @enum {string}
                                     */
                                    kind: "plain" | "visual" | "disguised";
                                    /** @example 149.0.7795.2 */
                                    version: string;
                                    /** @description Tabs that pages are rendered in. */
                                    tabs: number;
                                    /** @description Anonymous memory of all its processes, as last measured while a tab was in use. */
                                    memoryBytes: number;
                                }[];
                                /** @description Of scrapers that render pages: their browser and its age. */
                                chromium?: {
                                    /** @example 156.0.8078.108 */
                                    version: string;
                                    /**
                                     * Format: date-time
                                     * @description Release of the package that brings it, or the date of the file that CHROMIUM_PATH names.
                                     */
                                    releasedAt: string;
                                };
                            }[];
                            /** @description Hosts that answered 429 or 503: pages of jobs wait for them. The longest pauses come first. */
                            pausedHosts: {
                                /** @example example.com */
                                host: string;
                                /**
                                 * Format: date-time
                                 * @description Time at which the next page may be sent.
                                 */
                                until: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        status: "alive";
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service can do its work. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        status: "ready";
                    };
                };
            };
        };
    };
}
