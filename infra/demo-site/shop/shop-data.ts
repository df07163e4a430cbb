/** Categories: name in URLs, title, introduction. */
export const CATEGORIES = [
  ['classics', 'Classics', 'Long novels with many people in them.'],
  ['adventure', 'Adventure', 'Islands, wagers, duels and dogs.'],
  ['mystery', 'Mystery', 'Someone did it, and someone will say so in the last chapter.'],
  ['science-fiction', 'Science fiction', 'The future, as it was expected.'],
  ['gothic', 'Gothic and horror', 'Read these with the lamp on.'],
  ['humor', 'Humor', 'Gentlemen who read too much, and other accidents.'],
  ['essays', 'Ideas and essays', 'How to live, what to allow, and what to grow.'],
  ['poetry', 'Poetry', 'Lines that stop before the margin.'],
  ['children', 'For younger readers', 'Rabbits, moles, wolves and gardens.'],
] as const;

/**
 * Books, one a line: slug | title | author | first published | price (price before) | in stock | category | pages | ISBN |
 * published | changed in the shop | about. The ISBNs are valid, but of a group that is not assigned to any country.
 */
export const SHELF = `
middlemarch | Middlemarch | George Eliot | 1871 | 12.99 | 4 | classics | 880 | 979-9-9001-0037-8 | 2019-03-13 | 2026-07-03 | A town, its marriages, and the quiet acts that the growing good of the world depends on.
moby-dick | Moby-Dick | Herman Melville | 1851 | 10.99 | 12 | adventure | 720 | 979-9-9001-0074-3 | 2022-02-12 | 2026-07-17 | A captain, a whale, and everything that is known about whales.
jane-eyre | Jane Eyre | Charlotte Brontë | 1847 | 8.99 | 0 | classics | 624 | 979-9-9001-0111-5 | 2017-01-03 | 2026-10-14 | A governess who will not be less than she is.
les-miserables | Les Misérables | Victor Hugo | 1862 | 15.99 (18.99) | 3 | classics | 1232 | 979-9-9001-0148-1 | 2015-04-03 | 2026-10-02 | A loaf of bread, a candlestick, and the long road after.
war-and-peace | War and Peace | Leo Tolstoy | 1869 | 17.99 | 7 | classics | 1392 | 979-9-9001-0185-6 | 2023-02-08 | 2026-07-19 | Five families and one invasion.
crime-and-punishment | Crime and Punishment | Fyodor Dostoevsky | 1866 | 11.49 | 5 | classics | 656 | 979-9-9001-0222-8 | 2023-07-02 | 2026-08-02 | A student has a theory, then an axe, then a conscience.
the-moonstone | The Moonstone | Wilkie Collins | 1868 | 9.49 | 2 | mystery | 528 | 979-9-9001-0259-4 | 2022-03-10 | 2026-10-05 | A diamond disappears and everybody tells the part they saw.
frankenstein | Frankenstein | Mary Shelley | 1818 | 7.99 | 9 | gothic | 288 | 979-9-9001-0296-9 | 2022-02-19 | 2026-09-18 | A maker who would not look after what he made.
dracula | Dracula | Bram Stoker | 1897 | 8.49 (10.99) | 6 | gothic | 416 | 979-9-9001-0333-1 | 2024-03-04 | 2026-08-12 | Letters, diaries and a count who does not cast a reflection.
don-quixote | Don Quixote | Miguel de Cervantes | 1605 | 16.99 | 1 | humor | 1056 | 979-9-9001-0370-6 | 2015-09-23 | 2026-07-19 | A gentleman reads too much and rides out.
emma | Emma | Jane Austen | 1815 | 8.99 | 8 | classics | 512 | 979-9-9001-0407-9 | 2014-10-07 | 2026-10-22 | Handsome, clever, rich, and wrong about everybody.
walden | Walden | Henry David Thoreau | 1854 | 7.49 | 0 | essays | 352 | 979-9-9001-0444-4 | 2022-07-25 | 2026-09-15 | Two years in a cabin, with accounts.
pride-and-prejudice | Pride and Prejudice | Jane Austen | 1813 | 8.49 | 22 | classics | 432 | 979-9-9001-0481-9 | 2023-08-12 | 2026-09-08 | Five sisters, one estate, and a first impression that has to be taken back.
great-expectations | Great Expectations | Charles Dickens | 1861 | 9.99 | 6 | classics | 544 | 979-9-9001-0518-2 | 2016-12-25 | 2026-08-03 | An orphan comes into money and does not know from whom.
wuthering-heights | Wuthering Heights | Emily Brontë | 1847 | 8.49 | 5 | gothic | 416 | 979-9-9001-0555-7 | 2023-05-17 | 2026-10-11 | Two houses on the moor, and a love that ruins both.
anna-karenina | Anna Karenina | Leo Tolstoy | 1878 | 13.99 (15.99) | 4 | classics | 864 | 979-9-9001-0592-2 | 2025-08-10 | 2026-07-04 | Every unhappy family is unhappy in its own way; this is one of them.
treasure-island | Treasure Island | Robert Louis Stevenson | 1883 | 6.99 | 14 | adventure | 240 | 979-9-9001-0629-5 | 2022-07-06 | 2026-09-05 | A map, a schooner, and a cook with one leg.
kidnapped | Kidnapped | Robert Louis Stevenson | 1886 | 6.99 | 3 | adventure | 272 | 979-9-9001-0666-0 | 2021-07-02 | 2026-07-25 | A boy, a brig, and a long walk home across the Highlands.
the-count-of-monte-cristo | The Count of Monte Cristo | Alexandre Dumas | 1846 | 14.99 | 9 | adventure | 1276 | 979-9-9001-0703-2 | 2022-10-26 | 2026-09-11 | Fourteen years in a cell, and a plan for every one of them.
the-three-musketeers | The Three Musketeers | Alexandre Dumas | 1844 | 12.49 | 8 | adventure | 720 | 979-9-9001-0740-7 | 2025-06-20 | 2026-10-19 | Four friends, twelve diamonds, and a road to Calais.
around-the-world-in-eighty-days | Around the World in Eighty Days | Jules Verne | 1872 | 7.49 (9.49) | 11 | adventure | 256 | 979-9-9001-0777-3 | 2021-02-27 | 2026-07-09 | A wager, a timetable, and a detective one ship behind.
king-solomons-mines | King Solomon's Mines | H. Rider Haggard | 1885 | 6.49 | 2 | adventure | 304 | 979-9-9001-0814-5 | 2021-12-22 | 2026-07-02 | A map drawn in blood, and three men who believe it.
the-call-of-the-wild | The Call of the Wild | Jack London | 1903 | 5.99 | 10 | adventure | 160 | 979-9-9001-0851-0 | 2025-12-10 | 2026-10-10 | A dog is stolen from the south and learns the north.
robinson-crusoe | Robinson Crusoe | Daniel Defoe | 1719 | 7.99 | 0 | adventure | 320 | 979-9-9001-0888-6 | 2025-07-22 | 2026-09-01 | Twenty-eight years of housekeeping on an island.
the-scarlet-pimpernel | The Scarlet Pimpernel | Baroness Orczy | 1905 | 7.49 | 5 | adventure | 288 | 979-9-9001-0925-8 | 2021-06-06 | 2026-07-16 | The dullest man in London has business in Paris.
the-hound-of-the-baskervilles | The Hound of the Baskervilles | Arthur Conan Doyle | 1902 | 6.99 | 17 | mystery | 256 | 979-9-9001-0962-3 | 2014-04-25 | 2026-09-05 | A legend, a moor, and the footprints of something large.
a-study-in-scarlet | A Study in Scarlet | Arthur Conan Doyle | 1887 | 5.99 | 8 | mystery | 176 | 979-9-9001-0999-9 | 2025-04-13 | 2026-10-28 | A doctor needs rooms in London and meets a man with acid on his hands.
the-adventures-of-sherlock-holmes | The Adventures of Sherlock Holmes | Arthur Conan Doyle | 1892 | 8.99 | 13 | mystery | 320 | 979-9-9001-1036-0 | 2021-02-06 | 2026-10-13 | Twelve cases, from a goose with a stone to a league of red-headed men.
the-woman-in-white | The Woman in White | Wilkie Collins | 1860 | 9.99 (11.99) | 4 | mystery | 720 | 979-9-9001-1073-5 | 2022-05-05 | 2026-10-28 | A figure on the road at midnight, and a signature that must not be given.
bleak-house | Bleak House | Charles Dickens | 1853 | 11.99 | 3 | mystery | 1036 | 979-9-9001-1110-7 | 2022-05-23 | 2026-10-12 | A lawsuit that has outlived everyone it was about.
the-murders-in-the-rue-morgue | The Murders in the Rue Morgue | Edgar Allan Poe | 1841 | 5.49 | 6 | mystery | 144 | 979-9-9001-1147-3 | 2024-07-08 | 2026-08-03 | A locked room in Paris, and the first man to reason his way into it.
the-man-who-was-thursday | The Man Who Was Thursday | G. K. Chesterton | 1908 | 7.49 | 2 | mystery | 208 | 979-9-9001-1184-8 | 2016-03-08 | 2026-08-01 | A poet joins the anarchists and finds them full of policemen.
the-mystery-of-the-yellow-room | The Mystery of the Yellow Room | Gaston Leroux | 1907 | 7.99 | 0 | mystery | 272 | 979-9-9001-1221-0 | 2021-10-06 | 2026-09-10 | The door was locked, and so was the window.
trents-last-case | Trent's Last Case | E. C. Bentley | 1913 | 7.49 | 4 | mystery | 256 | 979-9-9001-1258-6 | 2014-03-14 | 2026-09-20 | The detective falls in love and gets everything right but the answer.
the-time-machine | The Time Machine | H. G. Wells | 1895 | 5.99 | 12 | science-fiction | 128 | 979-9-9001-1295-1 | 2023-06-05 | 2026-07-15 | A dinner guest arrives late, from a very long way off.
the-war-of-the-worlds | The War of the Worlds | H. G. Wells | 1898 | 6.99 | 9 | science-fiction | 208 | 979-9-9001-1332-3 | 2024-09-13 | 2026-10-13 | They land in Surrey, and Surrey is not ready.
the-invisible-man | The Invisible Man | H. G. Wells | 1897 | 6.49 | 5 | science-fiction | 176 | 979-9-9001-1369-9 | 2020-02-16 | 2026-10-02 | A stranger in bandages takes a room and keeps the curtains drawn.
twenty-thousand-leagues-under-the-sea | Twenty Thousand Leagues Under the Sea | Jules Verne | 1870 | 9.49 (11.99) | 7 | science-fiction | 432 | 979-9-9001-1406-1 | 2017-02-07 | 2026-10-06 | A professor, a harpooner, and a captain who has left the land for good.
journey-to-the-center-of-the-earth | Journey to the Center of the Earth | Jules Verne | 1864 | 7.99 | 6 | science-fiction | 256 | 979-9-9001-1443-6 | 2015-06-20 | 2026-07-04 | Down a crater in Iceland, with lamps and a barometer.
a-princess-of-mars | A Princess of Mars | Edgar Rice Burroughs | 1912 | 6.99 | 3 | science-fiction | 240 | 979-9-9001-1480-1 | 2014-10-05 | 2026-07-12 | A soldier goes into a cave in Arizona and comes out somewhere redder.
flatland | Flatland | Edwin A. Abbott | 1884 | 5.49 | 8 | science-fiction | 112 | 979-9-9001-1517-4 | 2023-01-03 | 2026-08-20 | A square dreams of a line and is visited by a sphere.
erewhon | Erewhon | Samuel Butler | 1872 | 7.99 | 0 | science-fiction | 272 | 979-9-9001-1554-9 | 2020-03-21 | 2026-09-12 | Over the mountains, where illness is a crime and machines are in museums.
the-machine-stops | The Machine Stops | E. M. Forster | 1909 | 4.99 | 15 | science-fiction | 96 | 979-9-9001-1591-4 | 2023-06-16 | 2026-07-04 | Everyone lives alone in a room and talks through a plate of glass.
the-picture-of-dorian-gray | The Picture of Dorian Gray | Oscar Wilde | 1890 | 7.99 | 11 | gothic | 272 | 979-9-9001-1628-7 | 2021-08-16 | 2026-10-10 | A portrait does the aging.
the-turn-of-the-screw | The Turn of the Screw | Henry James | 1898 | 6.49 | 4 | gothic | 160 | 979-9-9001-1665-2 | 2015-03-04 | 2026-09-24 | A governess, two children, and faces at the window.
carmilla | Carmilla | Sheridan Le Fanu | 1872 | 5.99 | 7 | gothic | 128 | 979-9-9001-1702-4 | 2018-08-27 | 2026-08-17 | A guest who sleeps late and leaves no mark, but one.
jekyll-and-hyde | Strange Case of Dr Jekyll and Mr Hyde | Robert Louis Stevenson | 1886 | 5.49 | 9 | gothic | 128 | 979-9-9001-1739-0 | 2014-04-17 | 2026-09-05 | A lawyer wonders why his friend has changed his will.
the-phantom-of-the-opera | The Phantom of the Opera | Gaston Leroux | 1910 | 7.99 (9.99) | 3 | gothic | 320 | 979-9-9001-1776-5 | 2025-09-01 | 2026-09-21 | Box five is never sold.
three-men-in-a-boat | Three Men in a Boat | Jerome K. Jerome | 1889 | 6.99 | 10 | humor | 208 | 979-9-9001-1813-7 | 2015-12-28 | 2026-09-17 | Two weeks on the Thames, to say nothing of the dog.
the-importance-of-being-earnest | The Importance of Being Earnest | Oscar Wilde | 1895 | 5.49 | 6 | humor | 96 | 979-9-9001-1850-2 | 2019-03-12 | 2026-08-18 | Two men, one name, and a handbag at Victoria Station.
the-pickwick-papers | The Pickwick Papers | Charles Dickens | 1837 | 11.49 | 2 | humor | 816 | 979-9-9001-1887-8 | 2022-09-11 | 2026-08-20 | A club of gentlemen sets out to observe mankind and is observed.
gullivers-travels | Gulliver's Travels | Jonathan Swift | 1726 | 6.49 | 5 | humor | 176 | 979-9-9001-1924-0 | 2017-04-27 | 2026-10-24 | Six inches tall, sixty feet tall, and a country that is run by horses.
candide | Candide | Voltaire | 1759 | 5.99 | 8 | humor | 144 | 979-9-9001-1961-5 | 2017-04-17 | 2026-10-12 | All is for the best, with one disaster after another.
a-connecticut-yankee-in-king-arthurs-court | A Connecticut Yankee in King Arthur's Court | Mark Twain | 1889 | 7.99 | 0 | humor | 416 | 979-9-9001-1998-1 | 2025-01-01 | 2026-09-16 | A foreman brings the telephone to Camelot.
meditations | Meditations | Marcus Aurelius | 180 | 7.99 | 16 | essays | 256 | 979-9-9001-2035-2 | 2018-04-23 | 2026-09-15 | Notes to himself, by a man with an empire to run.
essays | Essays | Michel de Montaigne | 1580 | 18.99 (22.99) | 2 | essays | 1344 | 979-9-9001-2072-7 | 2025-06-12 | 2026-07-08 | What do I know? A great deal about thumbs, smells and dying.
on-liberty | On Liberty | John Stuart Mill | 1859 | 6.49 | 5 | essays | 176 | 979-9-9001-2109-0 | 2015-04-16 | 2026-08-11 | How far others may tell you what to do, argued to the end.
a-vindication-of-the-rights-of-woman | A Vindication of the Rights of Woman | Mary Wollstonecraft | 1792 | 7.99 | 4 | essays | 288 | 979-9-9001-2146-5 | 2017-08-20 | 2026-07-16 | Reason has no sex, and here is the proof.
leaves-of-grass | Leaves of Grass | Walt Whitman | 1855 | 9.99 | 3 | poetry | 624 | 979-9-9001-2183-0 | 2024-06-26 | 2026-07-27 | He contains multitudes, and lists them.
sonnets | Sonnets | William Shakespeare | 1609 | 5.99 | 12 | poetry | 192 | 979-9-9001-2220-2 | 2024-02-13 | 2026-08-16 | A hundred and fifty-four ways to argue with time.
the-divine-comedy | The Divine Comedy | Dante Alighieri | 1321 | 14.99 (17.99) | 5 | poetry | 928 | 979-9-9001-2257-8 | 2016-07-26 | 2026-09-03 | Down through the earth, up a mountain, and out among the stars.
songs-of-innocence-and-of-experience | Songs of Innocence and of Experience | William Blake | 1794 | 8.49 | 0 | poetry | 160 | 979-9-9001-2294-3 | 2025-07-15 | 2026-10-24 | The lamb, the tiger, and who made them both.
alices-adventures-in-wonderland | Alice's Adventures in Wonderland | Lewis Carroll | 1865 | 6.99 | 18 | children | 192 | 979-9-9001-2331-5 | 2015-12-06 | 2026-08-05 | Down a hole after a rabbit with a watch.
the-wonderful-wizard-of-oz | The Wonderful Wizard of Oz | L. Frank Baum | 1900 | 6.99 | 9 | children | 224 | 979-9-9001-2368-1 | 2014-03-19 | 2026-10-26 | A storm, a road, and three travelers who each lack one thing.
the-wind-in-the-willows | The Wind in the Willows | Kenneth Grahame | 1908 | 7.99 | 7 | children | 256 | 979-9-9001-2405-3 | 2024-03-20 | 2026-10-22 | A mole leaves his spring-cleaning for a boat.
peter-pan | Peter Pan | J. M. Barrie | 1911 | 6.49 | 0 | children | 208 | 979-9-9001-2442-8 | 2019-03-18 | 2026-08-01 | The boy at the window has come for his shadow.
the-secret-garden | The Secret Garden | Frances Hodgson Burnett | 1911 | 7.49 | 6 | children | 304 | 979-9-9001-2479-4 | 2014-12-21 | 2026-07-17 | A locked garden, a robin, and a key in the soil.
little-women | Little Women | Louisa May Alcott | 1868 | 8.99 | 10 | children | 512 | 979-9-9001-2516-6 | 2025-03-14 | 2026-08-27 | Four sisters, one hard winter, and a trunk of costumes in the attic.
anne-of-green-gables | Anne of Green Gables | L. M. Montgomery | 1908 | 7.49 | 8 | children | 336 | 979-9-9001-2553-1 | 2017-01-09 | 2026-08-10 | They had sent for a boy.
the-jungle-book | The Jungle Book | Rudyard Kipling | 1894 | 6.99 | 5 | children | 224 | 979-9-9001-2590-6 | 2022-04-25 | 2026-09-09 | A child, a panther, a bear, and the law of the jungle.
`;

/** Reviews, which books share: stars | reader | text. */
export const REVIEWS = `
5 | Ines P. | I bought it for the train and missed my stop. Twice.
4 | Malcolm | Slow to start, and then I could not put it down. The paper is good, the type is small.
5 | A. Okafor | The third copy that I have owned. The other two were lent.
3 | Ruth in Leeds | Better than I remembered from school, longer than I remembered, too.
4 | Tomasz | Arrived the next day and well packed. The introduction gives away the ending: read it last.
2 | Disappointed | The story is a masterpiece. My copy had page 112 twice and page 113 not at all.
5 | Yuki | Read it aloud to my father over one winter. He asked for the next chapter every evening.
4 | Bookworm 88 | A handsome edition. I would have liked a map.
1 | G. B. | I ordered the audio book. This is a book.
5 | Carla | I laughed in the library and was asked to leave.
3 | Jonas | Everybody in it would be happier if they talked to each other. But then it would be a leaflet.
4 | Priya | My reading group argued for two hours, which is the highest praise that we give.
5 | The Lamplighter | It holds up. I read it every ten years, and it is a different book each time.
4 | Eleanor | The notes at the end are a book of their own.
2 | Sam | Too many cousins.
5 | Dr. Whitfield | I press it upon my students, and some of them thank me later.
`;

/** Articles of the blog, newest first; the body is HTML. */
export const ARTICLES = [
  {
    slug: 'how-we-describe-a-book',
    title: 'How we describe a book',
    author: 'Hedda Linnet',
    published: '2026-11-09T08:30:00Z',
    changed: '2026-11-12',
    tags: ['the shop', 'data'],
    summary: 'Every page of a book in this shop says the same thing three times. There is a reason for each.',
    body: `
<p>Every page of a book in this shop says the same thing three times: once for people, once for screen readers and search
engines, and once for programs that prefer a list. We did not plan it that way. It grew, as shops do.</p>
<h2>For people</h2>
<p>People look at the <strong>cover</strong>, then at the <strong>price</strong>, and then, if we are lucky, at the first
sentence. So these come first. A price looks like a price: a sign, a number, two digits for the pence.</p>
<h2>For programs</h2>
<p>Programs are less patient. For them, each page carries a block of <a href="https://schema.org/Book">structured data</a>.
That of <a href="/books/emma">Emma</a> begins like this:</p>
<pre><code class="language-json">{
  "@context": "https://schema.org",
  "@type": ["Product", "Book"],
  "name": "Emma",
  "isbn": "979-9-9001-0407-9"
}</code></pre>
<p>The table below the description has the same facts in rows:</p>
<table>
<caption>Where a fact is written</caption>
<thead><tr><th>Fact</th><th>In the page</th><th>In the data</th></tr></thead>
<tbody>
<tr><td>Price</td><td><code>.price</code></td><td><code>offers.price</code></td></tr>
<tr><td>Stock</td><td><code>.stock</code></td><td><code>offers.availability</code></td></tr>
<tr><td>Published</td><td>the table of details</td><td><code>datePublished</code></td></tr>
</tbody>
</table>
<h2>What we leave out</h2>
<ul>
<li>Adjectives that every book has been given: <em>unputdownable</em>, <em>searing</em>, <em>luminous</em>.</li>
<li>The number of other people who are looking at the page. There are none.</li>
<li>Countdowns.</li>
</ul>
<p>If a fact is wrong, it is wrong in all three places, since they are made from one line of one file. That is the best
thing that we can say about our data.</p>`,
  },
  {
    slug: 'reading-the-long-ones',
    title: 'Reading the long ones',
    author: 'Amos Quill',
    published: '2026-10-21T16:00:00Z',
    changed: '2026-10-21',
    tags: ['reading'],
    summary:
      'Some books in this shop have more than a thousand pages. A plan for each, and permission to skip.',
    body: `
<p>Several books in this shop have more than a thousand pages. They are bought in December, begun in January, and used from
February on to keep a door open. It need not be so.</p>
<blockquote><p>A long book is a place, not an errand. You do not finish a place.</p></blockquote>
<h2>Three rules</h2>
<ol>
<li>Read twenty pages a day, and never more than forty. A book that is rushed takes revenge in the middle.</li>
<li>Write down the names. In <a href="/books/war-and-peace">War and Peace</a>, everyone has three.</li>
<li>Skip. Every long book has a part that its author could not help:
  <ul>
  <li>the sewers of Paris in <a href="/books/les-miserables">Les Misérables</a>,</li>
  <li>the classes of whales in <a href="/books/moby-dick">Moby-Dick</a>,</li>
  <li>the theory of history at the end of <em>War and Peace</em>.</li>
  </ul>
Come back for them later. They are better the second time.</li>
</ol>
<h2>A calendar</h2>
<p>At twenty pages a day, <a href="/books/middlemarch">Middlemarch</a> takes six weeks and two days.
<a href="/books/the-count-of-monte-cristo">The Count of Monte Cristo</a> takes nine weeks, and you will cheat, because
nobody has ever stopped at the chapter with the sack.</p>
<p>And <a href="/books/essays">Montaigne</a>? He wrote for twenty years and would not mind if you read for as long.</p>`,
  },
] as const;
